/** The messages of a hostile page to the vault. */
import { randomUUID } from 'node:crypto'
import { generatePrivateKey } from 'viem/accounts'
import { typedDataOf } from '../../support/typed-data.ts'
import { appOf, type Victim } from './hostile-site.ts'

/** Somebody whose token and addresses the page knows. */
type Known = Pick<Victim, 'mode' | 'token' | 'address' | 'solana'>

/** The wallet, as messages name it. */
export const rootOf = ({ token: accessToken, address: entropyId }: Pick<Known, 'token' | 'address'>) => ({
  accessToken,
  entropyId,
  entropyIdVerifier: 'ethereum-address-verifier',
})

/** Each message that a page can say to the vault, so that it would be worth something to it. */
export function messagesOf(victim: Known): Record<string, readonly [event: string, data: object]> {
  const { address, solana, token: accessToken } = victim
  const root = rootOf(victim)
  const rpc = (method: string, params: unknown) =>
    [
      'privy:wallets:rpc',
      { ...root, chainType: 'ethereum', hdWalletIndex: 0, request: { method, params } },
    ] as const
  const gas = { gasLimit: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x3b9aca00' }
  const transaction = {
    from: address,
    to: `0x${'ab'.repeat(20)}`,
    value: '0x1',
    chainId: 1,
    nonce: 0,
    ...gas,
    type: 2,
  }
  const digest = `0x${'5a'.repeat(32)}`
  const ofSolana = { ...root, chainType: 'solana', hdWalletIndex: 0 }
  return {
    'a message is to be signed': rpc('personal_sign', ['0x6869', address]),
    'typed data is to be signed': rpc('eth_signTypedData_v4', [
      address,
      typedDataOf('Mail', { contents: ['string', 'Hello'] }),
    ]),
    'a transaction is to be signed': rpc('eth_signTransaction', [transaction]),
    'a bare hash is to be signed (secp256k1_sign)': rpc('secp256k1_sign', [digest]),
    'a bare hash is to be signed (eth_sign)': rpc('eth_sign', [address, digest]),
    'a Solana message is to be signed': [
      'privy:wallets:rpc',
      { ...ofSolana, request: { method: 'signMessage', params: { message: 'aGVsbG8=' } } },
    ],
    'the vault’s own statement is to be signed': rpc('personal_sign', [
      `Latchkey recovery change\napp: ${appOf[victim.mode]}\nuser: x\nwallet: ${randomUUID()}\nchange: ${randomUUID()}\nmethod: privy\npackage: x`,
      address,
    ]),
    'recovery is to be a password of the page’s': [
      'privy:wallets:set-recovery',
      { ...root, recoveryMethod: 'user-passcode', recoveryPassword: 'the page knows it' },
    ],
    'recovery is to be a key of the page’s': [
      'privy:wallets:set-recovery',
      { ...root, recoveryMethod: 'recovery-encryption-key', recoveryKey: 'the page knows this key' },
    ],
    'recovery is to be automatic': ['privy:wallets:set-recovery', { ...root, recoveryMethod: 'privy' }],
    'a key of the page’s is to be imported': [
      'privy:wallets:import',
      { accessToken, chainType: 'ethereum', privateKey: generatePrivateKey() },
    ],
    'the wallet is to be recovered': ['privy:wallets:recover', root],
    'the wallet is to be recovered by a guessed password': [
      'privy:wallets:recover',
      { ...root, recoveryPassword: 'password1' },
    ],
    'the wallet is to be made again with a password of the page’s': [
      'privy:wallet:create',
      { accessToken, recoveryMethod: 'user-passcode', recoveryPassword: 'the page knows it' },
    ],
    'the wallet is to be connected': ['privy:wallets:connect', root],
    'a second factor is to go, and actions are to be delegated': [
      'privy:mfa:unenroll',
      { ...root, method: 'totp' },
    ],
    'delegation is to be agreed to': ['privy:delegated-actions:consent', { ...root, solana }],
    'a session is to end': ['privy:mfa:clear', { userId: 'did:latchkey:somebody' }],
  }
}
