/** The numbers of what people type. Times are milliseconds unless the name says otherwise. */
export const fieldLimits = {
  /** Digits in a login code. */
  codeLength: 6,
  /** The boxes clear themselves this long after an error. */
  codeErrorReset: 1_400,
  /** The shortest password, in characters, and the scores from which the meter says Medium and Strong. */
  passwordLength: 6,
  passwordMedium: 0.5,
  passwordStrong: 0.9,
  /** Longer text is no phone number. */
  phoneInputLength: 250,
} as const
