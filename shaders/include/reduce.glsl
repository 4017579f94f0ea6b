// Sums and maxima over a workgroup; every invocation gets the result and must take part.
// SPDX-License-Identifier: Apache-2.0
#ifdef NO_SUMS
#error "this shader is built without what sums need (see vitrine_shader)"
#endif

#ifdef SUBGROUPS
#extension GL_KHR_shader_subgroup_arithmetic : require
#define OF_SUBGROUP(operation, x) operation(x)
// One number a subgroup: groups of one subgroup need no barrier. It costs a software device dearly
// even where it is not reached (its compiler cuts the shader in two there). So where texels are
// read, groups that use this file are one subgroup.
#ifdef TEXELS
#define SEVERAL_PARTS false
#else
#define SEVERAL_PARTS (gl_NumSubgroups > 1u)
#endif
#define PARTS_OF_GROUP gl_NumSubgroups
#define MOST_PARTS 32
#define OWN_PART gl_SubgroupID
#define SPEAKS_FOR_PART subgroupElect()
#else
#define OF_SUBGROUP(operation, x) x
#define SEVERAL_PARTS true
#define PARTS_OF_GROUP GROUP_SIZE
#define MOST_PARTS GROUP_SIZE
#define OWN_PART gl_LocalInvocationID.x
#define SPEAKS_FOR_PART true
#endif

/// Orders accesses to shared memory; for all invocations.
void groupBarrier()
{
#ifdef SUBGROUPS
    if (!SEVERAL_PARTS) {
        subgroupMemoryBarrierShared();
        subgroupBarrier();
        return;
    }
#endif
    barrier();
}

#define SUM_OF_TWO(a, b) ((a) + (b))

/// type name(type x): of all invocations, `operation` of a subgroup's and `ofTwo` of two parts'; by way of `parts`,
/// shared memory of MOST_PARTS places.
#define GROUP_REDUCTION(name, type, parts, operation, ofTwo)                                       \
    type name(type x)                                                                              \
    {                                                                                              \
        x = OF_SUBGROUP(operation, x);                                                             \
        if (SEVERAL_PARTS) {                                                                       \
            barrier();                                                                             \
            if (SPEAKS_FOR_PART) {                                                                 \
                parts[OWN_PART] = x;                                                               \
            }                                                                                      \
            barrier();                                                                             \
            x = parts[0];                                                                          \
            for (uint i = 1u; i < PARTS_OF_GROUP; ++i) {                                           \
                x = ofTwo(x, parts[i]);                                                            \
            }                                                                                      \
        }                                                                                          \
        return x;                                                                                  \
    }

shared float reduceShared[MOST_PARTS];
GROUP_REDUCTION(groupSum, float, reduceShared, subgroupAdd, SUM_OF_TWO)
GROUP_REDUCTION(groupMax, float, reduceShared, subgroupMax, max)
