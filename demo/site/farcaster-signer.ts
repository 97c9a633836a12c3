import type { LoginModal } from '../../src/index.ts'

const byId = <T extends HTMLElement>(id: string) => document.getElementById(id) as T
const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Has a user with a Farcaster account let a key of their vault post for them, and signs with it.
 * @param failed told what came of a call that failed
 */
export function farcasterSigner(login: LoginModal, failed: (what: string, cause: unknown) => void): void {
  const show = () => {
    const accounts = login.user?.linkedAccounts ?? []
    const account = accounts.find((each) => each.type === 'farcaster')
    const hasWallet = accounts.some((each) => each.type === 'wallet' && each.embedded)
    byId('farcaster-signer').hidden = !account || !hasWallet
    byId('signer-key').textContent = account?.type === 'farcaster' ? (account.signerPublicKey ?? '') : ''
  }
  for (const type of ['lk-ready', 'lk-user']) login.addEventListener(type, show)
  show()

  byId('request-signer').addEventListener('click', async () => {
    try {
      await login.load()
      await login.kit?.farcasterSigner.request()
      show()
    } catch (cause) {
      failed('farcasterSigner.request()', cause)
    }
  })
  byId('sign-cast').addEventListener('click', async () => {
    byId('cast-signature').textContent = ''
    try {
      await login.load()
      // The first 20 bytes of a hash, as BLAKE3 makes them of a message on Farcaster.
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode('High tide at noon.'))
      const signature = await login.kit?.farcasterSigner.sign(new Uint8Array(digest, 0, 20))
      byId('cast-signature').textContent = signature ? hexOf(signature) : ''
    } catch (cause) {
      failed('farcasterSigner.sign()', cause)
    }
  })
}
