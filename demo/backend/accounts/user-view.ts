import { toSeconds } from '../lib/time.ts'
import { accountViews } from './account-views.ts'
import type { User } from './user.ts'

/** A user as the API shows them. */
export function userView(user: User) {
  return {
    id: user.id,
    created_at: toSeconds(user.createdAt),
    linked_accounts: accountViews(user),
    mfa_methods: user.mfaMethods.map(({ type, verifiedAt }) => ({
      type,
      verified_at: toSeconds(verifiedAt),
    })),
    has_accepted_terms: user.hasAcceptedTerms,
    is_guest: user.isGuest,
    ...(user.customMetadata && { custom_metadata: user.customMetadata }),
  }
}
