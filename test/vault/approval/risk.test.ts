/** What may be approved in the vault's frame, and what only in a window that no page can cover. */
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
} from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { errors } from '../../../src/copy/en/errors.ts'
import { type ApprovalRequests, readApprovalRequest } from '../../../src/protocol/frame/approval.ts'
import { unknownSignKind } from '../../../src/protocol/frame/sign-request.ts'
import { formatAmount } from '../../../src/signing/preview.ts'
import type { ApproveTransactionProps } from '../../../src/signing/transaction/approve-transaction.tsx'
import { readSignRequest } from '../../../src/vault/approval/sign/kinds.ts'
import '../../../src/wallets/smart/accounts/coinbase-smart-wallet.ts'
import { loadSmartAccountCodec } from '../../../src/wallets/smart/accounts/features.ts'
import { typedDataOf } from '../../support/typed-data.ts'

addWords(errors)

type Asked = ApprovalRequests['sign']
type OfKind<K extends Asked['kind']> = Extract<Asked, { readonly kind: K }>
const address = `0x${'12'.repeat(20)}` as const
const other = `0x${'ab'.repeat(20)}`
const origin = 'https://host.example'
const all = (1n << 256n) - 1n

const wallet = { root: { chainType: 'ethereum', address }, walletIndex: 0, address } as const
const message = (text: string): Asked => ({ kind: 'message', ...wallet, message: text })
const coinbase = await loadSmartAccountCodec('coinbase_smart_wallet')
const smartAddress = coinbase.getAddress(address)
/** A text for which a smart account of the wallet vouches. */
const ofAccount = (text: string): Asked => ({
  ...(message(text) as OfKind<'message'>),
  account: { kind: 'coinbase_smart_wallet', address: smartAddress, chainId: 1 },
})
const transaction = (more: object): OfKind<'evmTransaction'> => ({
  kind: 'evmTransaction',
  ...wallet,
  action: 'sign',
  transaction: {
    from: address,
    to: other,
    value: '0x1',
    chainId: 1,
    nonce: 0,
    type: 2,
    gasLimit: '0xffff',
    maxFeePerGas: '0x77359400',
    maxPriorityFeePerGas: '0x3b9aca00',
    ...more,
  },
})
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
const call = (selector: string, ...words: (string | bigint)[]) =>
  transaction({ value: '0x0', data: `0x${selector}${words.map(word).join('')}` })

const typed = (
  primaryType: string,
  fields: Parameters<typeof typedDataOf>[1],
  types: Record<string, { name: string; type: string }[]> = {},
): OfKind<'typedData'> => ({
  kind: 'typedData',
  ...wallet,
  typedData: typedDataOf(primaryType, fields, { contract: other, types }) as never,
})
const permit = (value: bigint) =>
  typed('Permit', {
    owner: ['address', address],
    spender: ['address', other],
    value: ['uint256', `${value}`],
    nonce: ['uint256', '0'],
    deadline: ['uint256', '1'],
  })

const signer = Keypair.generate()
const onSolana = (bytes: Uint8Array) => {
  const name = signer.publicKey.toBase58()
  return {
    root: { chainType: 'solana', address: name },
    walletIndex: 0,
    address: name,
    message: Buffer.from(bytes).toString('base64'),
  } as const
}
const solana = (bytes: Uint8Array): Asked => ({ kind: 'solanaMessage', ...onSolana(bytes) })
function solanaTransaction(...instructions: TransactionInstruction[]): Asked {
  const built = new Transaction({
    feePayer: signer.publicKey,
    blockhash: PublicKey.default.toBase58(),
    lastValidBlockHeight: 1,
  }).add(...instructions)
  return { kind: 'solanaTransaction', action: 'sign', ...onSolana(built.serializeMessage()) }
}
const unknownProgram = new TransactionInstruction({
  programId: Keypair.generate().publicKey,
  keys: [{ pubkey: signer.publicKey, isSigner: true, isWritable: true }],
  data: Buffer.from([1, 2, 3]),
})

const siwe = (domain: string, uri: string, chain = 'Ethereum') =>
  `${domain} wants you to sign in with your ${chain} account:\n${chain === 'Solana' ? signer.publicKey.toBase58() : address}\n\nURI: ${uri}\nVersion: 1\nChain ID: 1\nNonce: 12345678\nIssued At: 2026-01-01T00:00:00Z`
const transfer = (lamports: number) =>
  SystemProgram.transfer({
    fromPubkey: signer.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports,
  })

const inFrame: Record<string, Asked> = {
  'a sign-in for the page itself': message(siwe('host.example', origin)),
  'a sign-in for the page itself that lists another site': message(
    `${siwe('host.example', origin)}\nResources:\n- https://docs.example/terms`,
  ),
  'a sign-in on Solana': solana(Buffer.from(siwe('host.example', origin, 'Solana'))),
  'a sign-in on Solana without a time': solana(
    Buffer.from(siwe('host.example', origin, 'Solana').replace(/\nIssued At: \S+/, '')),
  ),
  'a sign-in of a smart account': ofAccount(siwe('host.example', origin).replace(address, smartAddress)),
}
/** Shapes of typed data that let somebody act, one in each of the ways that were found. */
const letsAct: Record<string, Asked> = {
  'ordinary typed data': typed('Mail', { contents: ['string', 'Hello'] }),
  'a permit with a limit': permit(5n),
  'a permit without a limit': permit(all),
  'a permit of half of the greatest amount': permit(1n << 255n),
  'a permit just below half of it': permit((1n << 255n) - 1n),
  'a delegation': typed('Delegation', { delegate: ['address', other] }),
  'an order of a market': typed('Order', { maker: ['address', address], price: ['uint256', '1'] }),
  'amounts as text': typed('Withdraw', { to: ['string', other], amount: ['string', '1000.0'] }),
  'an agent by its hash': typed('Agent', {
    source: ['string', 'a'],
    connectionId: ['bytes32', `0x${'4f'.repeat(32)}`],
  }),
  'an agent by its address': typed('ApproveAgent', { agentAddress: ['address', other] }),
  'a key derivation': typed('dYdX', { action: ['string', 'dYdX STARK Key'] }),
  'a vote': typed('Vote', { proposal: ['bytes32', `0x${'11'.repeat(32)}`], choice: ['uint32', '1'] }),
  'a text for a Safe': typed('SafeMessage', { message: ['bytes', '0x48656c6c6f'] }),
  'typed data with a call in it': typed('Meta', { data: ['bytes', '0x095ea7b3'], to: ['address', other] }),
  'a permit of a shape that nobody knows': typed('Permit', { anything: ['uint256', '1'] }),
  'a permit for several tokens': typed(
    'PermitBatch',
    { details: ['PermitDetails[]', [{ token: other, amount: '1' }]], spender: ['address', other] },
    {
      PermitDetails: [
        { name: 'token', type: 'address' },
        { name: 'amount', type: 'uint160' },
      ],
    },
  ),
}
/** Plain text that protocols take for more than that. */
const moreThanText: Record<string, Asked> = {
  'a key of zkSync': message('Access zkSync account.\n\nOnly sign this message for a trusted client!'),
  'a key of StarkEx': message('Access your StarkEx account'),
  'a key of Loopring': message('Sign this message to access Loopring Exchange: 0x00 with key nonce: 0'),
  'a key of Immutable X': message('Only sign this request if you’ve initiated an action with Immutable X.'),
  'a key behind invisible characters': message('\ufeffAccess\u200b zkSync account.\nOnly\u00a0sign this.'),
  'a key for encryption': message('Sign to derive your encryption key'),
  'a key on Solana': solana(Buffer.from('Sign this to unlock your private balance')),
  'an authorization': message('I authorize 0xabc to withdraw on my behalf.'),
  'an authorization in a sign-in': message(`${siwe('host.example', origin)}\n- urn:recap:eyJ9`),
  'a text about another site': message('Welcome to https://evil.example, sign to enter.'),
  'a digest as text': message(`digest${'4f'.repeat(32)}`),
  'data as text': message('{"action":"withdraw","amount":"1000"}'),
}
const inWindow: Record<string, Asked> = {
  'a text': message('hello'),
  'a text in hex': message('0x6869'),
  'a text that asks to confirm the wallet': message('Sign this message to confirm that the wallet is yours.'),
  'a text on Solana': solana(Buffer.from('hello')),
  'a hash behind a word': message(`x ${'4f'.repeat(32)}`),
  'a hash in hex as text': message(`${'4f'.repeat(32)}`),
  'data behind a word': message('order {"action":"withdraw","amount":"1000"}'),
  'a word with a letter of another script': message('Access your k\u0435y'),
  'a site without its scheme': message('Welcome to evil.example'),
  '32 bytes that are valid text': message(`0x${'61'.repeat(32)}`),
  '32 bytes that are valid text on Solana': solana(new Uint8Array(32).fill(0x61)),
  'a sign-in without a nonce': message(siwe('host.example', origin).replace(/\nNonce: \d+/, '')),
  'a sign-in without a time': message(siwe('host.example', origin).replace(/\nIssued At: \S+/, '')),
  'a sign-in without a chain': message(siwe('host.example', origin).replace(/\nChain ID: 1/, '')),
  'a sign-in for another account': message(siwe('host.example', origin).replace(address, other)),
  'a sign-in of the owner by its smart account': ofAccount(siwe('host.example', origin)),
  'a sign-in for another account on Solana': solana(
    Buffer.from(
      siwe('host.example', origin, 'Solana').replace(
        signer.publicKey.toBase58(),
        Keypair.generate().publicKey.toBase58(),
      ),
    ),
  ),
  'a sign-in on Solana without a nonce': solana(
    Buffer.from(siwe('host.example', origin, 'Solana').replace(/\nNonce: \d+/, '')),
  ),
  'a sign-in with a line behind it': message(`${siwe('host.example', origin)}\nand more`),
  'a sign-in with a line before it': message(`more\n${siwe('host.example', origin)}`),
  ...letsAct,
  ...moreThanText,
  'bytes that are no text': message(`0x${'80'.repeat(32)}`),
  'what begins as the hash of typed data does': message(`0x1901${'4f'.repeat(64)}`),
  'an authorization of EIP-7702 as bytes': message(`0x05${'4f'.repeat(32)}`),
  'a transaction as bytes': message(
    '0x02e40180843b9aca0084773594008252089412121212121212121212121212121212121212120180c0',
  ),
  'money for somebody': transaction({}),
  'tokens for somebody': call('a9059cbb', other, 5n),
  'an allowance with a limit': call('095ea7b3', other, 5n),
  'an allowance without a limit': call('095ea7b3', other, all),
  'half of the greatest allowance': call('095ea7b3', other, 1n << 255n),
  'an allowance just below half of the greatest': call('095ea7b3', other, (1n << 255n) - 1n),
  'an allowance just below the greatest': call('095ea7b3', other, all - 1n),
  'an allowance of 159 bits': call('095ea7b3', other, (1n << 159n) - 1n),
  'an allowance of 96 bits': call('095ea7b3', other, (1n << 96n) - 1n),
  'an allowance of Permit2': call('87517c45', other, address, (1n << 159n) - 1n, 1n),
  'more allowance, without a limit': call('39509351', other, all),
  'more allowance by its older name': call('d73dd623', other, 5n),
  'an operator of all tokens': call('a22cb465', other, 1n),
  'the end of an operator': call('a22cb465', other, 0n),
  'a call that nobody knows': call('deadbeef', other),
  'a known call that is written in another way': call('a9059cbb', other, 5n, 1n),
  'money on a chain that the vault does not know': transaction({ chainId: 123_456 }),
  'a new contract': transaction({ to: undefined, data: '0x6000', value: '0x0' }),
  'money for somebody on Solana': solanaTransaction(transfer(5)),
  'a program on Solana that nobody knows': solanaTransaction(unknownProgram),
  'bytes on Solana that are no text': solana(new Uint8Array(32).fill(0x80)),
}

const riskOf = async (request: Asked) => (await readSignRequest(request, { origin }, createTranslate())).risk

describe('risk: the frame approves what can neither move nor grant value', () => {
  test.each(Object.entries(inFrame))('%s', async (_, request) => expect(await riskOf(request)).toBe('usual'))
})
describe('risk: a window approves everything else', () => {
  test.each(Object.entries(inWindow))('%s', async (_, request) => expect(await riskOf(request)).toBe('high'))
})
describe('risk: what is refused', () => {
  const bytes32 = `0x${'4f'.repeat(32)}`
  const refused: Record<string, Asked> = {
    'a hash for a Safe': typed('SafeMessage', { message: ['bytes', bytes32.replaceAll('4f', '9f')] }),
    'a hash for Kernel': typed('Kernel', { hash: ['bytes32', bytes32] }),
    'a hash for a light account': typed('LightAccountMessage', {
      message: ['bytes', `0x${'80'.repeat(32)}`],
    }),
    'a hash for a Coinbase wallet': typed('CoinbaseSmartWalletMessage', { hash: ['bytes32', bytes32] }),
    'a hash for an account that nobody knows': typed('ReplaySafeHash', { hash: ['bytes32', bytes32] }),
    'an empty message for a Safe': typed('SafeMessage', { message: ['bytes', '0x'] }),
    'a sign-in at another site for a Safe': typed('SafeMessage', {
      message: ['bytes', `0x${Buffer.from(siwe('evil.example', 'https://evil.example')).toString('hex')}`],
    }),
    'a sign-in at another site, wrapped by ERC-7739': typed('PersonalSign', {
      prefixed: [
        'bytes',
        `0x${Buffer.from(`\x19Ethereum Signed Message:\n${siwe('evil.example', 'https://evil.example').length}${siwe('evil.example', 'https://evil.example')}`).toString('hex')}`,
      ],
    }),
    'a sign-in at another site in typed data': typed('Login', {
      statement: ['string', `\ufeff${siwe('evil.example', 'https://evil.example')}`],
    }),
    'typed data for another chain than the wallet’s': {
      ...typed('Mail', { contents: ['string', 'Hello'] }),
      chainId: 137,
    },
    'typed data of an account on another chain': typed('TypedDataSign', {
      contents: ['string', 'Hello'],
      chainId: ['uint256', '137'],
    }),
    'a fee of 14,000 SOL': solanaTransaction(
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 10n ** 13n }),
      ComputeBudgetProgram.setComputeUnitLimit({ units: 1_400_000 }),
      transfer(5),
    ),
    'a fee of 14,000 SOL without a limit of units': solanaTransaction(
      ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7n * 10n ** 16n }),
      transfer(5),
    ),
    'a fee of 655 ETH': transaction({ gasLimit: '0xffff', maxFeePerGas: '0x2386f26fc10000' }),
  }
  test.each(Object.entries(refused))('risk: %s is signed nowhere', async (_, request) =>
    expect(riskOf(request)).rejects.toMatchObject({ name: 'InvalidRequest' }),
  )

  test('risk: the text within a wrapper is shown', async () => {
    const wrapped = typed('PersonalSign', {
      prefixed: ['bytes', `0x${Buffer.from('\x19Ethereum Signed Message:\n5Hello').toString('hex')}`],
    })
    const { props } = await readSignRequest(wrapped, { origin }, createTranslate())
    expect(props).toMatchObject({ held: 'Hello' })
  })
  test('risk: the chain that the wallet is on is accepted', async () =>
    expect(await riskOf({ ...typed('Mail', { contents: ['string', 'Hello'] }), chainId: 1 })).toBe('high'))
})
test.each(['eth_sign', 'secp256k1_sign', 'rawHash', 'constructor', '__proto__', ''])(
  'sign requests: the kind %j is none that anything is approved for',
  (kind) => {
    const request = { kind, ...wallet, message: '0x6869' }
    expect(readApprovalRequest('sign', request)).toBeUndefined()
    expect(unknownSignKind(request)).toBe(kind)
  },
)
test('sign requests: a transaction is not signed as a message on Solana, nor a message as a transaction', async () => {
  const transfer = SystemProgram.transfer({
    fromPubkey: signer.publicKey,
    toPubkey: Keypair.generate().publicKey,
    lamports: 1,
  })
  const { action: _, ...signed } = solanaTransaction(transfer) as Extract<
    Asked,
    { kind: 'solanaTransaction' }
  >
  await expect(riskOf({ ...signed, kind: 'solanaMessage' })).rejects.toThrow('The message is a transaction')
  const asTransaction = {
    kind: 'solanaTransaction',
    action: 'sign',
    ...onSolana(Buffer.from('hello')),
  } as const
  await expect(riskOf(asTransaction)).rejects.toThrow('The bytes are no transaction')
})

describe('of the costs of a transaction the vault shows', () => {
  const figures = async (request: Asked) => {
    const { props } = await readSignRequest(request, { origin }, createTranslate())
    const { coin, value, fee = 0n, total = 0n } = (props as ApproveTransactionProps).preview
    return {
      value: formatAmount(value, coin),
      fee: formatAmount(fee, coin),
      total: formatAmount(total, coin),
    }
  }
  const onBase = transaction({ chainId: 8453, gasLimit: '0x5208', value: '0xde0b6b3a7640000' })

  test('the gas, where the chain takes nothing else', async () =>
    expect(await figures(onBase)).toEqual({ value: '1 ETH', fee: '0.000042 ETH', total: '1.000042 ETH' }))

  test('what the chain takes for layer 1 as well, where the page says it', async () =>
    expect(await figures({ ...onBase, layerOneFee: '0x38d7ea4c68000' })).toEqual({
      value: '1 ETH',
      fee: '0.001042 ETH',
      total: '1.001042 ETH',
    }))

  test.each(['-0x1', '-1', '1', '0x', 'much'])('nothing of a page that says %s of it', async (layerOneFee) =>
    expect(figures({ ...onBase, layerOneFee })).rejects.toMatchObject({ name: 'InvalidRequest' }),
  )

  test('no coin’s name on a chain that it does not know', async () =>
    expect(await figures(transaction({ chainId: 123_456, value: '0xde0b6b3a7640000' }))).toMatchObject({
      value: '1',
    }))
})
