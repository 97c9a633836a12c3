import { ed25519 } from '@noble/curves/ed25519.js'
import { base64 } from '@scure/base'
import { type Address, getTransactionDecoder, getTransactionEncoder } from '@solana/kit'
import type { SolanaSignInInput } from '@solana/wallet-standard-features'
import { providerError } from './script.ts'

/** Puts the signature of one account into a transaction; the first signature is the transaction's name. */
export function signTransaction(
  bytes: Uint8Array,
  address: string,
  key: Uint8Array,
): { bytes: Uint8Array; signature: Uint8Array } {
  const transaction = getTransactionDecoder().decode(bytes)
  if (!(address in transaction.signatures))
    throw providerError(-32602, 'The transaction does not require a signature from this account.')
  const ours = ed25519.sign(Uint8Array.from(transaction.messageBytes), key)
  const signatures = { ...transaction.signatures, [address as Address]: ours }
  const signed = getTransactionEncoder().encode({ ...transaction, signatures } as typeof transaction)
  const first: ArrayLike<number> | null | undefined = Object.values(transaction.signatures)[0]
  return { bytes: Uint8Array.from(signed), signature: first ? Uint8Array.from(first) : ours }
}

export function nodeFor(rpcUrls: Readonly<Record<string, string>>, chain: string): string {
  const node = rpcUrls[chain]
  if (!node) throw providerError(4901, `The wallet has no node for ${chain}.`)
  return node
}

export async function sendTransaction(
  node: string,
  bytes: Uint8Array,
  options: { readonly skipPreflight?: boolean; readonly maxRetries?: number } = {},
): Promise<void> {
  const params = [base64.encode(bytes), { encoding: 'base64', ...options }]
  const response = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'sendTransaction', params }),
  })
  const { error } = (await response.json()) as { error?: { code: number; message: string; data?: unknown } }
  if (error) throw providerError(error.code, error.message, error.data)
}

/** The text of Sign In With Solana, as wallets build it from what a page gives them. */
export function signInText(input: SolanaSignInInput & { domain: string; address: string }): string {
  const fields = [
    ['URI', input.uri],
    ['Version', input.version],
    ['Chain ID', input.chainId],
    ['Nonce', input.nonce],
    ['Issued At', input.issuedAt],
    ['Expiration Time', input.expirationTime],
    ['Not Before', input.notBefore],
    ['Request ID', input.requestId],
  ].flatMap(([name, value]) => (value ? [`${name}: ${value}`] : []))
  if (input.resources) fields.push('Resources:', ...input.resources.map((each) => `- ${each}`))
  const head = `${input.domain} wants you to sign in with your Solana account:\n${input.address}`
  return [head, input.statement, fields.join('\n')].filter(Boolean).join('\n\n')
}
