/** What a person reads of what they are asked to sign: out of the very bytes that are signed, and nothing that a page says of them. */
import type { Translate } from '../../../copy/copy.ts'
import { parseMessage } from '../../../ethereum/message.ts'
import { mustBeForPage, readableText } from '../../../lib/sign-in-text.ts'
import type { ApprovalRequests } from '../../../protocol/frame/approval.ts'
import { shownMessage } from '../../../signing/message/shown.ts'
import { signMessage } from '../../../signing/message/sign-message.tsx'
import { unsupported } from '../../signing/errors.ts'
import { takeParams } from '../../signing/ethereum.ts'
import './words.ts'
import { type Reading, type ReadingKnowledge, reading, type Who } from './reading-of.ts'

type Asked = ApprovalRequests['sign']

/**
 * Reads a request completely. `knowledge` adds words to what its bytes say, and takes nothing away. Throws `InvalidRequest`, or a `VaultError` for a method
 * that no person is asked about.
 */
export async function readSignRequest(
  asked: Asked,
  origin: string,
  t: Translate,
  knowledge: ReadingKnowledge = {},
): Promise<Reading> {
  const who = { origin, address: asked.address }
  if (asked.chainType === 'solana') {
    const read = (await import('./solana.ts')).readSolana(asked, who)
    return read instanceof Uint8Array ? ofMessage(read, who, t) : read
  }
  const { method, params } = asked.request
  switch (method) {
    case 'personal_sign': {
      const [message] = takeParams(params, 2, 'personal_sign takes a message and an address')
      return ofMessage(parseMessage(message), who, t)
    }
    case 'eth_signTypedData_v4':
      return (await import('./ethereum.ts')).readTypedData(asked, who, knowledge)
    case 'eth_signTransaction':
      return (await import('./ethereum.ts')).readTransaction(asked, who, knowledge)
    default:
      throw unsupported('This method')
  }
}

function ofMessage(bytes: Uint8Array, who: Who, t: Translate): Reading {
  const text = readableText(bytes)
  mustBeForPage(text, who.origin)
  const shown = shownMessage(t, bytes, who.origin)
  // Plain text, and a sign-in for the page's own origin, can neither move nor grant value: they alone are harmless.
  return reading(signMessage, { ...who, ...shown, cancellable: true }, shown.concern ? 'high' : 'usual')
}
