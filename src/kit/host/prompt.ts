/** Has a person verified by a second factor, for hosts and for what they do in dialogs; it brings no screen of enrolling. The kit is ready. */
import { KitError } from '../../errors/kit-error.ts'
import type { MfaPurpose } from '../../protocol/frame/calls.ts'
import type { User } from '../../protocol/user.ts'
import type { KitContext } from '../context.ts'

/** Whoever is logged in. Throws a {@link KitError} `must_be_authenticated`. */
export function requirePerson(cx: KitContext): User {
  const { user } = cx.app.state.get()
  if (!user) throw new KitError('must_be_authenticated', 'Must have valid access token to enroll in MFA')
  return user
}

/** Whether the vault asks the person in its own pages. */
export const isStrict = (cx: KitContext): boolean => cx.app.known().vault === 'strict'

/** Has the person verified. @param purpose for what, where that is more than the use of wallets */
export async function prompt(
  cx: KitContext,
  { signal }: { signal?: AbortSignal | undefined },
  purpose: MfaPurpose = 'use',
): Promise<void> {
  if (requirePerson(cx).mfaMethods.length === 0)
    throw new KitError('missing_mfa_enrollment', 'The person has no second factor')
  const services = await cx.services()
  if (!isStrict(cx)) return (await services.wallets.embedded()).factors.verify(signal)
  await (await services.secondFactors()).verified(purpose, async () => {}, signal)
}
