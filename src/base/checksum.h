/* A fast checksum of large arrays, identical for any number of threads. It detects damage; it is
 * not cryptographic. */
#ifndef FRI_CHECKSUM_H
#define FRI_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t fri_checksum(int threads, const void *data, size_t bytes);
/* What share `share` of `shares` adds to it: fri_checksum(..) is fri_checksum_add(s, bytes), where s is
 * the sum over all shares, which wraps. */
uint64_t fri_checksum_part(int threads, const void *data, size_t bytes, int share, int shares);
/* Folds one more number into a running checksum. */
uint64_t fri_checksum_add(uint64_t sum, uint64_t value);

#endif
