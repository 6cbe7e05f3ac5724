/* A level of rows, and how blocks of `auto`'s crew help each other out.
 *
 * Finds stay in the block that makes them, and so shares become uneven. What a block finds beyond
 * its share it writes to memory as well. When all have posted how many entries they have, each
 * block knows who has too many and who takes which of them; some of the taker's warps read them
 * there while the others walk its own. So nobody waits for a deal: neither a barrier nor a fence
 * stands between, as each half of an entry is marked with its level.
 */
#ifndef FRI_AUTO_HELP_CUH
#define FRI_AUTO_HELP_CUH

#include "cuda/bfs/auto_rows.cuh"

enum { CREW_EACH = MOST_CREW / FRI_WARP };

/* Whole warp: what this block may take, onto the board. Blocks stand there in the order of lanes.
 */
template <class O, class C>
static __device__ __forceinline__ void ask_around(const world<O> &w, const C &d, int32_t depth,
                                                  const sums &sum) {
    const int blocks = (int)gridDim.x, each = (blocks + FRI_WARP - 1) / FRI_WARP;
    const int mine = (int)blockIdx.x / FRI_WARP;
    uint32_t its[CREW_EACH];
    int32_t over = 0, lacks = 0, given, ignored, at = 0, count = 0;
    bool here;
    do {
        here = true;
        FRI_UNROLL
        for (int k = 0; k < CREW_EACH; k++) { /* racy: a wait */
            const int block = k * FRI_WARP + fri_lane();
            its[k] = block < blocks ? fri_racy_load(&w.posts[(depth & 1) * MOST_CREW + block]) : 0;
            here &= block >= blocks || its[k] >> 16 == ((uint32_t)depth & 0xffff);
            its[k] = block < blocks ? its[k] & 0xffff : (uint32_t)sum.fair;
        }
    } while (!__all_sync(FRI_FULL, here));
    FRI_UNROLL
    for (int k = 0; k < CREW_EACH; k++) {
        over += FRI_MAX((int32_t)its[k] - sum.keep, 0);
        lacks += FRI_MAX(sum.fair - (int32_t)its[k], 0);
    }
    over = fri_warp_sum(over, &given);
    lacks = fri_warp_sum(lacks, &ignored);
    FRI_UNROLL
    for (int k = 0; k < CREW_EACH; k++) {
        if (k < each)
            fri_racy_store(&d.help->before[fri_lane() * each + k], over); /* racy: see mark */
        if (k == mine) {
            at = lacks;
            count = FRI_MAX(sum.fair - (int32_t)its[k], 0);
        }
        over += FRI_MAX((int32_t)its[k] - sum.keep, 0);
        lacks += FRI_MAX(sum.fair - (int32_t)its[k], 0);
    }
    if (fri_lane() == (int)blockIdx.x % FRI_WARP) {
        fri_racy_store(&d.help->base, at); /* racy: see mark */
        fri_racy_store(&d.help->count, FRI_MIN(count, given - at));
    }
    __threadfence_block(); /* the board is written before it is said to be */
    __syncwarp();          /* by all lanes */
    if (fri_lane() == 0)   /* racy: other warps wait for it */
        fri_racy_store(&d.help->mark, w.serial + (uint32_t)depth);
}

/* Any thread: position `at` of what blocks have over. */
template <class O, class C>
static __device__ __forceinline__ const parcel *
find_parcel(const world<O> &w, const C &d, const sink &out, const sums &sum, int32_t at) {
    const int each = ((int)gridDim.x + FRI_WARP - 1) / FRI_WARP;
    int place = 0;
    FRI_UNROLL
    for (int half = MOST_CREW / 2; half; half /= 2) /* the last with before <= at */
        if (place + half < FRI_WARP * each && fri_racy_load(&d.help->before[place + half]) <= at)
            place += half;
    return parcel_at(w, out.depth, place % each * FRI_WARP + place / each,
                     sum.keep + at - fri_racy_load(&d.help->before[place]));
}

/* Whole warp: until this block's board is there; the last warp sees to it. */
template <class O, class C>
static __device__ __forceinline__ void await_board(const world<O> &w, const C &d, int32_t depth,
                                                   const sums &sum) {
    const uint32_t mark = w.serial + (uint32_t)depth;
    if (fri_warp() == (int)blockDim.x / FRI_WARP - 1)
        ask_around(w, d, depth, sum);
    while (!__all_sync(FRI_FULL, fri_racy_load(&d.help->mark) == mark)) /* racy: a wait */
        ;
    __threadfence_block(); /* what it says is read behind it */
}

/* Whole warp: the lanes' ties, those at entries `at` >= 0 of what others have over. */
template <class O, class C>
static __device__ __forceinline__ void borrow(const world<O> &w, const C &d, const sink &out,
                                              const sums &sum, const int32_t *at, tie *it) {
    const uint32_t mark = w.serial + (uint32_t)out.depth;
    const parcel *from[C::LOOKS];
    bool here;
    FRI_UNROLL
    for (int j = 0; j < C::LOOKS; j++)
        from[j] = at[j] >= 0 ? find_parcel(w, d, out, sum, at[j]) : nullptr;
    do {
        here = true;
        FRI_UNROLL
        for (int j = 0; j < C::LOOKS; j++) { /* racy: a wait */
            const uint64_t whose = from[j] ? fri_racy_load(&from[j]->v) : 0;
            const uint64_t its = from[j] ? fri_racy_load(&from[j]->from) : 0;
            here &= !from[j] || (whose >> 32 == mark && its >> 32 == mark);
            it[j] = {(int32_t)(uint32_t)whose, (int32_t)(uint32_t)its};
        }
    } while (!__all_sync(FRI_FULL, here));
}

/* Whole warps, threads first of `step`: targets of `count` entries, of the block's own or of what
 * others have over. The edges looked at by this thread. */
template <class O, class C>
static __device__ __forceinline__ unsigned walk_rows(const world<O> &w, const C &d, const sink &out,
                                                     const sums &sum, int32_t count, bool own,
                                                     int32_t first, int32_t step) {
    const rack from = rack_of(w, d, out.depth);
    const int32_t bits = w.row_bits, all = count * (1 << bits), slots = (1 << bits) - 1;
    const int32_t base = own ? 0 : fri_racy_load(&d.help->base); /* racy: see mark */
    unsigned looked = 0;
    for (; first - fri_lane() < all; first += step * C::LOOKS) {
        int32_t v[C::LOOKS], at[C::LOOKS];
        tie it[C::LOOKS];
        FRI_UNROLL
        for (int j = 0; j < C::LOOKS; j++) {
            const int32_t i = first + j * step;
            at[j] = i < all ? base + (i >> bits) : -1;
            it[j] = {NONE, NONE};
            v[j] = NONE;
        }
        if (own) {
            FRI_UNROLL
            for (int j = 0; j < C::LOOKS; j++)
                if (at[j] >= 0) {
                    v[j] = from.targets[first + j * step];
                    it[j] = from.who[at[j]];
                }
        } else if (C::is_crew) {
            borrow(w, d, out, sum, at, it);
            FRI_UNROLL
            for (int j = 0; j < C::LOOKS; j++)
                if (at[j] >= 0) /* step is a multiple of a row */
                    v[j] = ((const int32_t *)row_of(w, it[j].v))[first & slots];
        }
        looked += try_targets(w, d, out, v, it);
        FRI_ROLLED
        for (unsigned many = many_of<C>(v); many; many &= many - 1) {
            tie one = it[0];
            FRI_UNROLL
            for (int k = 1; k < C::LOOKS; k++)
                one = many >> k & 1 && !(many & ((1u << k) - 1)) ? it[k] : one;
            looked += walk(w, d, out, one, first & slots);
        }
        __syncwarp(); /* lanes were on ways of their own */
    }
    return looked;
}

/* All threads, of a crew two warps or more: one level; the edges looked at by this thread. The
 * barrier must follow. sum: of this level's frontier. */
template <class O, class C>
static __device__ __forceinline__ unsigned row_level(const world<O> &w, const C &d, const state &s,
                                                     const sums &sum) {
    const int turn = (s.turn + 1) % SLOTS, warps = (int)blockDim.x / FRI_WARP;
    const sink out = {rack_of(w, d, s.depth + 1), s.depth, turn, !C::is_crew && sum.spread,
                      sum.next};
    const int32_t count = d.counts[s.turn].entries, me = (int32_t)threadIdx.x;
    int32_t mine = count, cut = (int32_t)blockDim.x;
    if (C::is_crew && sum.spread) {
        mine = FRI_MIN(count, sum.keep);
        if (count < sum.fair) /* warps in proportion */
            cut = FRI_MIN(FRI_MAX(warps * count / sum.fair, count > 0), warps - 1) * FRI_WARP;
    }
    const bool own = !C::is_crew || me < cut;
    if (!own) {
        await_board(w, d, s.depth, sum);
        mine = fri_racy_load(&d.help->count); /* racy: see mark */
    }
    const unsigned looked = walk_rows(w, d, out, sum, mine, own, own ? me : me - cut,
                                      own ? cut : (int32_t)blockDim.x - cut);
    if (w.lines) {
        __syncwarp(); /* lanes were on ways of their own */
        const unsigned edges = warp_total(looked);
        if (fri_lane() == 0)
            atomicAdd(&d.counts[turn].edges, edges); /* the block's warps add */
    }
    return looked;
}

#endif
