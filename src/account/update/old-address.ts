import { KitError } from '../../errors/kit-error.ts'
import type { User } from '../../protocol/user.ts'

/** The address or number that an update replaces. Throws a {@link KitError} `failed_to_update_account` if there is none. */
export function replacedBy(user: User, via: 'email' | 'sms'): string {
  const old = via === 'email' ? user.email?.address : user.phone?.number
  if (old === undefined)
    throw new KitError(
      'failed_to_update_account',
      via === 'email'
        ? 'User is required to have an email address to update it.'
        : 'User is required to have a phone number to update it.',
    )
  return old
}
