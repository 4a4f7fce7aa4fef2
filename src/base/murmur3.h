/*
 * murmur3.h: MurmurHash3_x86_32, the hash of every name the linker looks up.
 */
#ifndef CULD_BASE_MURMUR3_H
#define CULD_BASE_MURMUR3_H

#include <stddef.h>
#include <stdint.h>

uint32_t murmur3_x86_32(const void *key, size_t length, uint32_t seed);

#endif
