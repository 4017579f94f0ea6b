// How many layers of a model run on its device: the choice, and what it means in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/load_planner.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

#include <optional>

/// Plain data of the GUI thread. Without a device all is empty.
class LayerPlan
{
    Q_DECLARE_TR_FUNCTIONS(LayerPlan)

public:
    LayerPlan() = default;
    /// `chosen`: layers that were chosen before; nothing: as many as fit.
    LayerPlan(std::optional<app::DeviceOffer> device, std::optional<quint32> chosen);

    [[nodiscard]] bool hasDevice() const { return m_device.has_value(); }
    /// Of the model.
    [[nodiscard]] int layers() const { return hasDevice() ? int(m_device->plan.blocks()) : 0; }
    /// On the device, with a context of so many tokens.
    [[nodiscard]] int count(quint32 context) const;
    /// The number that fits is not kept: it follows the context and what is free.
    void choose(int count, quint32 context);
    void chooseFitting() { m_chosen.reset(); }
    [[nodiscard]] const std::optional<quint32>& chosen() const { return m_chosen; }
    [[nodiscard]] bool fitsAll(quint32 context) const;
    /// What a context without a length of its own would be, of `longest` tokens at most.
    [[nodiscard]] quint32 defaultContext(quint32 longest) const;

    [[nodiscard]] QString deviceName() const { return hasDevice() ? m_device->name : QString(); }
    /// The memory of the device is not the machine's.
    [[nodiscard]] bool hasOwnMemory() const { return hasDevice() && m_device->ownMemory; }
    /// "22 of 32 layers"
    [[nodiscard]] QString countText(quint32 context) const;
    /// What is on the device and what it takes there, what stays on the CPU.
    [[nodiscard]] QString text(quint32 context) const;
    /// More is wished than the device has room for.
    [[nodiscard]] bool isTooMuch(quint32 context) const;

private:
    [[nodiscard]] QString deviceText(quint32 context) const;
    [[nodiscard]] QString cpuText(quint32 context) const;
    [[nodiscard]] QString heldBackText(quint32 context) const;

    std::optional<app::DeviceOffer> m_device;
    std::optional<quint32> m_chosen;
};
