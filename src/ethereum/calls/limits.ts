/** Bounds of reading calls: beyond one of them a call is not read. */

/** Values of one call. */
export const MAX_VALUES = 16_384
/** Characters of a function signature or of a type's text. */
export const MAX_SIGNATURE = 16_384
/** Tuples and arrays within one another in a function signature. */
export const MAX_TYPE_DEPTH = 16
/** Types of one function signature. */
export const MAX_TYPES = 512
/** Calls within calls. */
export const MAX_CALL_DEPTH = 12
/** Calls within one request, which are found one by one. */
export const MAX_CALLS = 256
