#include "app/services/model_facts.h"

#include <QCoreApplication>

namespace app {

namespace {

// Without the file's name: it stands in the header of the window already.
QString sentence(const engine::gguf::Problem& problem)
{
    engine::Error error = problem.error;
    error.where.file.clear();
    return errorText(error);
}

// Empty for the model's own template.
QString templateNote(engine::chat::TemplateOrigin origin)
{
    using engine::chat::TemplateOrigin;
    switch (origin) {
    case TemplateOrigin::Model:
        break;
    case TemplateOrigin::ChatMl:
        return QCoreApplication::translate(
            "ModelFacts",
            "The file has no chat template; the ChatML form is used, whose tokens it knows.");
    case TemplateOrigin::Plain:
        return QCoreApplication::translate(
            "ModelFacts",
            "The file has no chat template; a plain form is used, and answers may be odd. Models "
            "made for conversations bring one.");
    }
    return {};
}

QString typesNote(const engine::session::Placement& placement,
                  const std::vector<std::string>& types)
{
    QStringList names;
    for (const auto& type : types) {
        names << QString::fromStdString(type);
    }
    return QCoreApplication::translate("ModelFacts",
                                       "There is no shader for the type %1: layers with it run on "
                                       "the CPU. %2 of %3 layers run on the device.")
        .arg(names.join(QStringLiteral(", ")))
        .arg(placement.deviceBlocks)
        .arg(placement.blocks);
}

} // namespace

ModelFacts modelFacts(const LoadedFacts& facts)
{
    ModelFacts out;
    out.path = QString::fromStdString(facts.path);
    out.displayName = QString::fromStdString(facts.displayName);
    out.typeName = QString::fromStdString(facts.typeName);
    out.deviceName = QString::fromStdString(facts.deviceName);
    out.fileSize = facts.fileSize;
    out.parameterCount = facts.parameterCount;
    out.sessionBytes = facts.sessionBytes;
    out.contextLength = facts.contextLength;
    out.trainedContextLength = facts.trainedContextLength;
    out.threads = facts.threads;
    out.contextCapped = facts.contextCapped;
    out.modelSampler = facts.modelSampler;
    out.placement = facts.placement;
    if (facts.passedOver) {
        out.warnings << errorText(*facts.passedOver);
    }
    if (facts.deviceFailure) {
        const ErrorMessage failure = errorMessage(*facts.deviceFailure);
        out.warnings << QStringList { failure.what,
                                      QCoreApplication::translate(
                                          "ModelFacts", "The CPU does the work in its place now."),
                                      failure.remedy }
                            .join(u' ')
                            .simplified();
    }
    if (facts.leftDevice) {
        out.warnings << QCoreApplication::translate(
            "ModelFacts",
            "The device was given to a model that was to take this one's place; the CPU does the "
            "work now. Load it again to go back.");
    }
    if (facts.placement && !facts.cpuTypes.empty()) {
        out.warnings << typesNote(*facts.placement, facts.cpuTypes);
    }
    for (const auto& problem : facts.warnings) {
        out.warnings << sentence(problem);
    }
    out.templateOrigin = facts.templateOrigin;
    out.thinks = facts.thinks;
    if (facts.templateOrigin) {
        if (const QString note = templateNote(*facts.templateOrigin); !note.isEmpty()) {
            out.warnings << note;
        }
    }
    if (facts.conversationError) {
        out.conversationError = errorMessage(*facts.conversationError);
    }
    return out;
}

} // namespace app
