/** Bounds of this room's work: a descriptor, a call or typed data beyond one of them is not described. */

/** Bytes of call data. */
export const MAX_CALL_BYTES = 1_048_576
/** Fields of one description, nested calls included: nobody reads more, and each address costs a hash. */
export const MAX_FIELDS = 2_048
/** Elements of lists that the descriptors of one request go through. */
export const MAX_STEPS = 65_536
/** Characters of a descriptor as JSON. */
export const MAX_DESCRIPTOR = 524_288
/** Descriptors that one descriptor includes, directly or through others. */
export const MAX_INCLUDES = 8
/** Function signatures or message types of one descriptor. */
export const MAX_FORMATS = 1_024
/** Groups of fields within one another. */
export const MAX_GROUP_DEPTH = 8
/** Characters and segments of one path. */
export const MAX_PATH = 512
export const MAX_SEGMENTS = 32
/** Decimals of a token or unit: the standard's type is `uint8`. */
export const MAX_DECIMALS = 255
/** Characters of what a descriptor, a token or a name brings for display. */
export const MAX_LABEL = 160
export const MAX_NAME = 80
export const MAX_SYMBOL = 32
/** Characters of an interpolated value, and of the sentence: longer ones push what matters out of sight. */
export const MAX_INTERPOLATED = 120
export const MAX_SENTENCE = 600
