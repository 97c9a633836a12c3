/** What servers, windows, frames, browsers and people say, bent at random: it is read as what it is, or refused. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KitError } from '../../src/errors/kit-error.ts'
import { parseMessage } from '../../src/ethereum/message.ts'
import { parseTransaction } from '../../src/ethereum/transaction.ts'
import { parseTypedData } from '../../src/ethereum/typed-data.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import { parsePlain, readPlain } from '../../src/lib/plain.ts'
import { memoryStorage } from '../../src/lib/storage.ts'
import { trimInvisible } from '../../src/lib/typed-text.ts'
import { takeReturn } from '../../src/protocol/address-bar.ts'
import { readAnswer, readRequest } from '../../src/protocol/frame/messages.ts'
import { readPopupMessage } from '../../src/protocol/popup.ts'
import { readIcloudMessage } from '../../src/protocol/recovery.ts'
import { readReturn } from '../../src/protocol/returns.ts'
import { parse } from '../../src/protocol/schema.ts'
import { sessionAnswer } from '../../src/protocol/sessions.ts'
import { webAppProof, widgetProof } from '../../src/protocol/telegram.ts'
import { transferOf } from '../../src/protocol/transfer.ts'
import { user } from '../../src/protocol/user.ts'
import { sessionKey } from '../../src/session/keys.ts'
import { createTokens } from '../../src/session/tokens.ts'
import { parseRequest } from '../../src/solana/prepare.ts'
import { readSignableMessage, reviewMessage } from '../../src/solana/review.ts'
import { emailProblem } from '../../src/ui/fields/email-problem.ts'
import { readPhone } from '../../src/ui/fields/phone-field/rules.ts'
import { ShareError, VaultError } from '../../src/vault/errors.ts'
import { readPackage } from '../../src/vault/recovery/package.ts'
import { appId, wireUser } from '../support/api.ts'
import { testClock } from '../support/clock.ts'
import { counted } from '../support/soak.ts'
import { fuzz, inputs, nearly, noText, oddText } from './fuzz.ts'

const timeout = 600_000
const known = [KitError, InvalidRequest, ShareError, VaultError]
/** What is refused with an error of ours is no result; any other error fails the test. */
const typed = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (cause) {
    if (known.some((each) => cause instanceof each)) return undefined
    throw cause
  }
}

/** A value of the right form in which some leaves or branches are something else, or gone. */
function bent(real: unknown): fc.Arbitrary<unknown> {
  const places: (string | number)[][] = []
  const walk = (value: unknown, path: (string | number)[]) => {
    places.push(path)
    if (value !== null && typeof value === 'object')
      for (const key of Object.keys(value)) walk((value as Record<string, unknown>)[key], [...path, key])
  }
  walk(real, [])
  const put = fc.oneof(noText, oddText, fc.constant(undefined), fc.integer(), fc.constant('a'.repeat(5_000)))
  return fc.array(fc.tuple(fc.constantFrom(...places), put), { maxLength: 3 }).map((changes) =>
    changes.reduce((value: unknown, [path, now]) => {
      if (path.length === 0) return now
      let at = value as Record<string | number, unknown> | undefined
      for (const key of path.slice(0, -1)) at = at?.[key] as typeof at
      if (at !== null && typeof at === 'object' && !Object.isFrozen(at)) at[path.at(-1) as string] = now
      return value
    }, structuredClone(real)),
  )
}

const account = { type: 'email', address: 'ada@example.com', verified_at: 1_700_000_000 }
const wallet = {
  type: 'wallet',
  address: '0x71C7656EC7ab88b098defB751B7401B5f6d8976F',
  chain_type: 'ethereum',
  chain_id: 'eip155:1',
  wallet_client_type: 'metamask',
  connector_type: 'injected',
  verified_at: 1,
}
const someone = wireUser('did:privy:u1', { linked_accounts: [account, wallet] })

describe(`answers of the server, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('about a person are a person, or malformed', () => {
    fuzz(
      'user',
      bent(someone),
      (raw) => typed(() => parse(user, raw, 'a test')),
      (read) => {
        expect(typeof read.id).toBe('string')
        expect(Array.isArray(read.linkedAccounts)).toBe(true)
      },
    )
  })

  it('to a login are a session, or malformed', () => {
    const real = { user: someone, token: 'a.b.c', identity_token: null, session_update_action: 'set' }
    fuzz(
      'session answer',
      bent(real),
      (raw) => typed(() => parse(sessionAnswer, raw, 'a test')),
      (read) => {
        expect(['set', 'ignore', 'clear']).toContain(read.action)
        expect(['string', 'undefined']).toContain(typeof read.token)
      },
    )
  })

  it('that offer a transfer offer one with a nonce, or none', () => {
    const real = {
      nonce: 'n',
      account: { displayName: 'ada' },
      otherUser: { embeddedWalletAddress: '0x12', oAuthUserInfo: { subject: 's' } },
    }
    fuzz('transfer offer', bent(real), (raw) =>
      transferOf(new KitError('account_transfer_required', 'x', { data: raw })),
    )
  })

  it('in storage are a token of this app, or none', () => {
    const claims = { sub: 'did:privy:u1', aud: appId, exp: 1_900_000_000, iat: 1_700_000_000 }
    const encoded = bent(claims).map((value) => {
      try {
        return `e30.${Buffer.from(JSON.stringify(value) ?? '').toString('base64url')}.c2ln`
      } catch {
        return 'e30..'
      }
    })
    const clock = testClock()
    fuzz(
      'JWT',
      fc.oneof(encoded, nearly(encoded), fc.string()),
      (token) => {
        const storage = memoryStorage()
        storage.set(sessionKey(appId, 'token'), token)
        const read = createTokens({ appId, storage, clock }).read()
        return read.state === 'active' ? read : undefined
      },
      (read) => expect(['string', 'undefined']).toContain(typeof read.userId),
    )
  })
})

describe(`what windows and frames say, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('of a provider is a message of ours, or nothing', () => {
    const real = { type: 'PRIVY_OAUTH_RESPONSE', stateCode: 's', authorizationCode: 'c' }
    fuzz('popup message', bent(real), readPopupMessage)
  })

  it('of iCloud is a token, a failure, or nothing', () => {
    fuzz('iCloud message', bent({ ckSession: 'token', errorMessage: undefined }), readIcloudMessage)
  })

  it('of Telegram is a proof with all its fields, or nothing', () => {
    const real = { id: 1, first_name: 'Ada', auth_date: 1_767_225_600, hash: 'ab'.repeat(32) }
    fuzz('Telegram widget', bent(real), widgetProof)
    const data = fc.constant(
      `user=${encodeURIComponent('{"id":1,"first_name":"Ada"}')}&auth_date=1767225600&hash=${'ab'.repeat(32)}`,
    )
    fuzz('Telegram mini app', nearly(data), webAppProof)
  })

  it('of the vault or to it is a message in its form, or nothing', () => {
    const request = { id: 'r1', event: 'privy:iframe:ready', data: { accessToken: 't' } }
    const asText = nearly(fc.constant(JSON.stringify(request)))
    fuzz('frame request', fc.oneof(bent(request), asText), readRequest, (read) => {
      expect([typeof read.id, typeof read.event]).toEqual(['string', 'string'])
    })
    fuzz(
      'frame answer',
      bent({ ...request, error: { type: 'error', message: 'no' } }),
      readAnswer,
      (read) => {
        expect([typeof read.id, typeof read.event]).toEqual(['string', 'string'])
      },
    )
  })

  it('in the address bar is a return of ours, or left alone', () => {
    const part = fc
      .tuple(
        fc.constantFrom('privy_oauth_code', 'privy_oauth_state', 'privy_oauth_provider', 'id', 'hash', 'a'),
        fc.oneof(fc.constantFrom('google', 'c0de', 'error', 'undefined'), oddText),
      )
      .map(([name, value]) => `${name}=${value}`)
    const address = fc
      .array(part, { maxLength: 6 })
      .map((parts) => `https://host.example/?${parts.join('&')}`)
    fuzz('returns', address, (text) => {
      let now = text
      const taken = takeReturn({
        address: () => now,
        rewrite: (next) => {
          now = next
        },
      })
      return taken && { read: readReturn(taken), now }
    })
  })
})

describe(`what a page asks to sign, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('is plain data, a message, typed data or a transaction, or refused', () => {
    const typedData = {
      types: {
        Mail: [
          { name: 'to', type: 'address' },
          { name: 'text', type: 'string' },
        ],
        EIP712Domain: [],
      },
      primaryType: 'Mail',
      domain: {},
      message: { to: wallet.address, text: 'hello' },
    }
    fuzz('EIP-712', bent(typedData), (raw) => typed(() => parseTypedData(raw)))
    const transaction = {
      to: wallet.address,
      value: '0x1',
      data: '0x',
      chainId: 1,
      gasLimit: '0x5208',
      nonce: 0,
      type: 2,
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x1',
    }
    fuzz(
      'Ethereum transaction',
      bent(transaction),
      (raw) => typed(() => parseTransaction(raw)),
      (read) => {
        expect(typeof read).toBe('object')
      },
    )
    fuzz('message', fc.oneof(noText, nearly(fc.constant('0x68656c6c6f'))), (raw) =>
      typed(() => parseMessage(raw)),
    )
    const json = nearly(fc.constant('{"a":[1,{"b":"c"}],"d":null}'))
    fuzz('JSON', json, (text) => parsePlain(text, 10_000))
    fuzz('plain data', fc.oneof(noText, bent(typedData)), (raw) => readPlain(raw, 100_000))
  })

  it('on Solana is a transaction of the person, or refused', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 1_300 }),
      fc
        .uint8Array({ maxLength: 400 })
        .map((rest) => new Uint8Array([1, ...new Uint8Array(64), 0x80, 1, 0, 1, ...rest])),
    )
    const address = '11111111111111111111111111111111'
    fuzz('Solana transaction', bytes, (raw) => typed(() => parseRequest(raw, address)))
    fuzz('Solana message', bytes, (raw) =>
      typed(() => {
        const message = readSignableMessage(raw.slice(65), address)
        return message && reviewMessage(message, address)
      }),
    )
  })

  it('and recover is a sealed package, or refused', () => {
    fuzz('recovery package', fc.oneof(fc.json(), fc.base64String(), fc.string()), (text) =>
      typed(() => readPackage(text)),
    )
  })
})

describe(`what people type, of ${counted(inputs)} random inputs`, { timeout }, () => {
  it('as an address or a number is one, or has its problem', () => {
    const addresses = nearly(fc.oneof(fc.emailAddress(), fc.constant('ada.lovelace+1@post.example')))
    fuzz(
      'e-mail',
      addresses,
      (text) => (emailProblem(text, { plusAllowed: true }) ? undefined : text),
      (text) => expect(trimInvisible(text)).toMatch(/^\S+@\S+\.\S+$/),
    )
    const numbers = nearly(fc.oneof(fc.constantFrom('+49 1511 2345678', '(202) 555-0123'), oddText))
    fuzz(
      'phone',
      numbers,
      (text) => {
        const read = readPhone(text, 'US')
        return 'e164' in read ? read.e164 : undefined
      },
      (e164) => expect(e164).toMatch(/^\+\d{5,15}$/),
    )
  })
})
