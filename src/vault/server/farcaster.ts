/** The vault's requests to the server about keys that sign for users on Farcaster. docs/protocol.md, "Farcaster signers" */
import * as v from 'valibot'
import type { VaultContext } from '../context.ts'
import type { Token } from '../token.ts'
import { unexpectedAnswer } from './transport.ts'

const answer = v.variant('status', [
  v.object({
    public_key: v.string(),
    status: v.literal('pending_approval'),
    signer_approval_url: v.pipe(v.string(), v.maxLength(2_048)),
  }),
  v.object({
    public_key: v.string(),
    status: v.picklist(['approved', 'revoked']),
    fid: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  }),
])

/** How far a key is. */
export type SignerAnswer = v.InferOutput<typeof answer>

/** Asks for a key in the app's name. @param key 0x-hex @throws VaultError */
export async function initSigner(cx: VaultContext, token: Token, key: string): Promise<SignerAnswer> {
  const said = v.safeParse(answer, await cx.api(token, '/farcaster/signer/init', { ed25519_public_key: key }))
  if (!said.success || said.output.public_key !== key) throw unexpectedAnswer()
  return said.output
}
