import { OTP } from 'otplib'

/** Seconds of one step, as every authenticator app has it. */
const PERIOD = 30
const otp = new OTP()

/** A new secret, in base32 as apps take it: 160 bits, as RFC 4226 wants. */
export const newTotpSecret = () => otp.generateSecret(20)

/** What an authenticator app reads from a QR code. @param label whose it is, for the list in the app */
export const totpUrl = (secret: string, issuer: string, label: string) =>
  otp.generateURI({ issuer, label, secret })

/**
 * The step of time that a code belongs to (RFC 6238): the present one, that before it or that after it.
 * @param now Unix milliseconds
 * @returns `undefined` for any other code
 */
export function totpStep(secret: string, code: string, now: number): number | undefined {
  const epoch = Math.floor(now / 1_000)
  const found = otp.verifySync({ secret, token: code, epoch, epochTolerance: PERIOD })
  return found.valid && 'timeStep' in found ? found.timeStep : undefined
}
