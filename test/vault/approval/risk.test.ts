/** What may be approved in the vault's frame, and what only in a window that no page can cover. */
import { Keypair, PublicKey, SystemProgram, Transaction, TransactionInstruction } from '@solana/web3.js'
import { describe, expect, test } from 'vitest'
import { addWords, createTranslate } from '../../../src/copy/copy.ts'
import { errors } from '../../../src/copy/en/errors.ts'
import type { ApprovalRequests } from '../../../src/protocol/frame/approval.ts'
import type { ApproveTransactionProps } from '../../../src/signing/transaction/approve-transaction.tsx'
import { readSignRequest } from '../../../src/vault/approval/sign/reading.ts'
import { typedDataOf } from '../../support/typed-data.ts'

addWords(errors)

type Asked = ApprovalRequests['sign']
const address = `0x${'12'.repeat(20)}`
const other = `0x${'ab'.repeat(20)}`
const origin = 'https://host.example'
const all = (1n << 256n) - 1n

const asked = (method: string, params: unknown[] | object): Asked => ({
  root: { chainType: 'ethereum', address },
  chainType: 'ethereum',
  walletIndex: 0,
  address,
  action: 'sign',
  request: { method, params: params as never },
})
const message = (text: string) => asked('personal_sign', [text, address])
const transaction = (more: object) =>
  asked('eth_signTransaction', [
    {
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
  ])
const word = (value: string | bigint) =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0')
const call = (selector: string, ...words: (string | bigint)[]) =>
  transaction({ value: '0x0', data: `0x${selector}${words.map(word).join('')}` })

const typed = (
  primaryType: string,
  fields: Parameters<typeof typedDataOf>[1],
  types: Record<string, { name: string; type: string }[]> = {},
) => asked('eth_signTypedData_v4', [address, typedDataOf(primaryType, fields, { contract: other, types })])
const permit = (value: bigint) =>
  typed('Permit', {
    owner: ['address', address],
    spender: ['address', other],
    value: ['uint256', `${value}`],
    nonce: ['uint256', '0'],
    deadline: ['uint256', '1'],
  })

const signer = Keypair.generate()
const solana = (bytes: Uint8Array): Asked => {
  const name = signer.publicKey.toBase58()
  return {
    root: { chainType: 'solana', address: name },
    chainType: 'solana',
    walletIndex: 0,
    address: name,
    action: 'sign',
    request: { method: 'signMessage', params: { message: Buffer.from(bytes).toString('base64') } },
  }
}
function solanaTransaction(instruction: TransactionInstruction): Asked {
  const built = new Transaction({
    feePayer: signer.publicKey,
    blockhash: PublicKey.default.toBase58(),
    lastValidBlockHeight: 1,
  }).add(instruction)
  return solana(built.serializeMessage())
}
const unknownProgram = new TransactionInstruction({
  programId: Keypair.generate().publicKey,
  keys: [{ pubkey: signer.publicKey, isSigner: true, isWritable: true }],
  data: Buffer.from([1, 2, 3]),
})

const inFrame: Record<string, Asked> = {
  'a text': message('hello'),
  'a text in hex': message('0x6869'),
  'ordinary typed data': typed('Mail', { contents: ['string', 'Hello'] }),
  'a permit with a limit': permit(5n),
  'money for somebody': transaction({}),
  'tokens for somebody': call('a9059cbb', other, 5n),
  'an allowance with a limit': call('095ea7b3', other, 5n),
  'the end of an operator': call('a22cb465', other, 0n),
  'a text on Solana': solana(Buffer.from('hello')),
  'money for somebody on Solana': solanaTransaction(
    SystemProgram.transfer({
      fromPubkey: signer.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 5,
    }),
  ),
}
const inWindow: Record<string, Asked> = {
  'bytes that are no text': message(`0x${'80'.repeat(32)}`),
  'a permit without a limit': permit(all),
  'a delegation': typed('Delegation', { delegate: ['address', other] }),
  'an order of a market': typed('Order', { maker: ['address', address], price: ['uint256', '1'] }),
  'typed data with a call in it': typed('Meta', { data: ['bytes', '0x095ea7b3'] }),
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
  'an allowance without a limit': call('095ea7b3', other, all),
  'half of the greatest allowance': call('095ea7b3', other, 1n << 255n),
  'more allowance, without a limit': call('39509351', other, all),
  'an operator of all tokens': call('a22cb465', other, 1n),
  'a call that nobody knows': call('deadbeef', other),
  'a known call that is written in another way': call('a9059cbb', other, 5n, 1n),
  'money on a chain that the vault does not know': transaction({ chainId: 123_456 }),
  'a new contract': transaction({ to: undefined, data: '0x6000', value: '0x0' }),
  'a program on Solana that nobody knows': solanaTransaction(unknownProgram),
  'bytes on Solana that are no text': solana(new Uint8Array(32).fill(0x80)),
}

const riskOf = async (request: Asked) => (await readSignRequest(request, origin, createTranslate())).risk

describe('in the frame a person approves what the vault can name, to an extent that has an end', () => {
  test.each(Object.entries(inFrame))('%s', async (_, request) => expect(await riskOf(request)).toBe('usual'))
})
describe('in a window a person approves', () => {
  test.each(Object.entries(inWindow))('%s', async (_, request) => expect(await riskOf(request)).toBe('high'))
})
test.each(['eth_sign', 'secp256k1_sign', 'eth_signTypedData', 'eth_signTypedData_v3', 'wallet_sendCalls'])(
  '%s is approved nowhere',
  async (method) => {
    await expect(riskOf(asked(method, [address, `0x${'5a'.repeat(32)}`]))).rejects.toMatchObject({
      name: 'VaultError',
    })
  },
)

describe('of the costs of a transaction the vault shows', () => {
  const figures = async (request: Asked) => {
    const { props } = await readSignRequest(request, origin, createTranslate())
    const { value, fee, total } = props as ApproveTransactionProps
    return { value, fee, total }
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
