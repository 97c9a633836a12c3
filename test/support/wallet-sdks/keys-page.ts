/** Coinbase's window, as far as its SDK speaks with it: a smart wallet with one key. `?no` says no, `?unload` closes. */
import {
  decryptContent,
  deriveSharedSecret,
  encryptContent,
  exportKeyToHexString,
  generateKeyPair,
  importKeyFromHexString,
} from '@coinbase/wallet-sdk/dist/util/cipher.js'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

/** Known to everybody: anvil's first. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const says = new URLSearchParams(location.search)
const page = window.opener as Window
const post = (message: object) => page.postMessage(message, '*')
const keys = generateKeyPair()

addEventListener('message', async ({ data }) => {
  if (data.event === 'selectSignerType') {
    if (says.has('no')) return post({ event: 'PopupUnload' })
    return post({ requestId: data.id, data: 'scw' })
  }
  if (!data.content) return
  const { privateKey, publicKey } = await keys
  const secret = await deriveSharedSecret(privateKey, await importKeyFromHexString('public', data.sender))
  const value = await answer(data.content, secret)
  const encrypted = await encryptContent(
    { result: { value }, data: { chains: { 1: 'http://127.0.0.1:1' } } } as never,
    secret,
  )
  const sender = await exportKeyToHexString('public', publicKey)
  post({ id: crypto.randomUUID(), requestId: data.id, sender, content: { encrypted }, timestamp: new Date() })
})

async function answer(
  content: { handshake?: { method: string }; encrypted?: never },
  secret: CryptoKey,
): Promise<unknown> {
  if (content.handshake) return content.handshake.method === 'eth_requestAccounts' ? [account.address] : null
  const { action } = (await decryptContent(content.encrypted as never, secret)) as {
    action: { method: string; params: Hex[] }
  }
  if (action.method !== 'personal_sign') return null
  return account.signMessage({ message: { raw: action.params[0] as Hex } })
}

post({ event: 'PopupLoaded', id: crypto.randomUUID() })
