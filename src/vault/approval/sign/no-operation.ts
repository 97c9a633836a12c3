import type { SignReview } from './review.ts'
import type { Content } from './user-operation/guard.ts'

/**
 * Has the vault's own server asked whether the content may approve an operation of the user's smart wallet.
 * @param owner the wallet that is to sign
 */
export const requireNoOperation = (owner: string, content: Content): Pick<SignReview, 'assertAllowed'> => ({
  async assertAllowed(vault, token) {
    const { assertNoOperation } = await import('./user-operation/guard.ts')
    await assertNoOperation(vault, token, owner, content)
  },
})
