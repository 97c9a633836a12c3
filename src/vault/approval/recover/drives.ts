import { type RecoveryMethod, recoveryMethods } from '../../../protocol/frame/calls.ts'

/** The drive of a recovery method, if it has one. */
export function driveOf(method: RecoveryMethod): 'google-drive' | 'icloud' | undefined {
  if (method === recoveryMethods.googleDrive) return 'google-drive'
  return method === recoveryMethods.icloud ? 'icloud' : undefined
}
