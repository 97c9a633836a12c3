/**
 * What runs in the window: the other side of the SDK's `Communicator` and `SCWSigner` (@coinbase/wallet-sdk 4.3.7). Like
 * the original it closes itself when a request is answered, so each request opens a window of its own.
 */

import type { EncryptedData, RPCRequestMessage } from '@coinbase/wallet-sdk/dist/core/message/RPCMessage.js'
import type { RPCRequest } from '@coinbase/wallet-sdk/dist/core/message/RPCRequest.js'
import {
  decryptContent,
  deriveSharedSecret,
  encryptContent,
  exportKeyToHexString,
  generateKeyPair,
  importKeyFromHexString,
} from '@coinbase/wallet-sdk/dist/util/cipher.js'
import { type Hex, hexToString, isHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { anvilKeys } from '../../wallet/accounts.ts'

type Message = Partial<RPCRequestMessage> & { event?: string; requestId?: string; data?: unknown }

const account = privateKeyToAccount(anvilKeys[4])
const page = window.opener as Window | null
const byId = (id: string) => document.getElementById(id) as HTMLElement
const chains: unknown = JSON.parse(document.body.dataset.chains ?? '{}')
const rejected = { code: 4001, message: 'User rejected the request.' }
/** Who opened this window, as the browser says it: from the first message on. */
let origin = ''

const post = (message: object) => page?.postMessage(message, origin || '*')

/** Kept for the windows of later requests. */
async function ownKeys(): Promise<{ own: CryptoKey; sender: string }> {
  const kept = JSON.parse(localStorage.getItem('demo-coinbase:keys') ?? 'null') as Record<
    string,
    string
  > | null
  if (kept?.own && kept.sender)
    return { own: await importKeyFromHexString('private', kept.own), sender: kept.sender }
  const { privateKey, publicKey } = await generateKeyPair()
  const sender = await exportKeyToHexString('public', publicKey)
  const own = await exportKeyToHexString('private', privateKey)
  localStorage.setItem('demo-coinbase:keys', JSON.stringify({ own, sender }))
  return { own: privateKey, sender }
}

/** Asks the person; true is yes. */
function agrees(what: string, text = ''): Promise<boolean> {
  byId('state').hidden = true
  byId('question').hidden = false
  byId('what').textContent = what
  byId('who').textContent = new URL(origin).host
  byId('text').textContent = text
  return new Promise((resolve) => {
    byId('approve').onclick = () => resolve(true)
    byId('reject').onclick = () => resolve(false)
  })
}

type Answer = { value: unknown } | { error: { code: number; message: string } }

async function answer(
  { method, params }: { method: string; params?: unknown },
  appName?: string,
): Promise<Answer> {
  const [first] = Array.isArray(params) ? (params as unknown[]) : []
  switch (method) {
    case 'eth_requestAccounts':
      return (await agrees(`Connect to ${appName}?`)) ? { value: [account.address] } : { error: rejected }
    case 'personal_sign': {
      const raw = isHex(first) ? first : '0x'
      if (!(await agrees('Sign this message?', hexToString(raw)))) return { error: rejected }
      return { value: await account.signMessage({ message: { raw: raw as Hex } }) }
    }
    default:
      return { error: { code: 4200, message: `The demo's window does not know ${method}` } }
  }
}

async function answerRequest({ id, sender = '', content }: Message): Promise<void> {
  const { own, sender: me } = await ownKeys()
  const secret = await deriveSharedSecret(own, await importKeyFromHexString('public', sender))
  const reply = (content: object) =>
    post({ id: crypto.randomUUID(), requestId: id, sender: me, content, timestamp: new Date() })
  const handshake = content && 'handshake' in content ? content.handshake : undefined
  let result: Answer
  if (handshake) result = await answer(handshake, (handshake.params as { appName?: string }).appName)
  else {
    const { encrypted } = content as { encrypted: EncryptedData }
    result = await answer((await decryptContent<RPCRequest>(encrypted, secret)).action)
  }
  // What fails before there is a connection is said openly.
  if (handshake && 'error' in result) reply({ failure: result.error })
  else reply({ encrypted: await encryptContent({ result, data: { chains } } as never, secret) })
  close()
}

addEventListener('message', ({ source, data, origin: from }: MessageEvent<Message | null>) => {
  if (source !== page || typeof data !== 'object' || !data) return
  origin ||= from
  if (from !== origin) return
  if (data.event === 'selectSignerType') post({ requestId: data.id, data: 'scw' })
  else if (data.content)
    answerRequest(data).catch((cause: unknown) => {
      byId('state').hidden = false
      byId('state').textContent = String(cause)
    })
})
addEventListener('pagehide', () => post({ event: 'PopupUnload', id: crypto.randomUUID() }))
post({ event: 'PopupLoaded', id: crypto.randomUUID() })
