import {
  type Address,
  createWalletClient,
  type Hex,
  hexToString,
  http,
  isAddress,
  isAddressEqual,
  isHex,
  numberToHex,
  type TypedDataDefinition,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { strangersKey } from './accounts.ts'
import { type Approve, agreed, providerError } from './script.ts'

/** What the wallet knows of itself; its requests change it. */
export interface EthereumState {
  readonly name: string
  readonly approve: Approve | undefined
  /** The active one first. */
  accounts: PrivateKeyAccount[]
  chains: Record<number, string>
  chainId: number
  permitted: boolean
  /** Takes note of a change, and tells the page. */
  permit(permitted: boolean): void
  moveTo(chainId: number): void
  emit(event: string, ...input: unknown[]): void
}

/** The accounts that the page may see. */
export const opened = ({ permitted, accounts }: EthereumState): Address[] =>
  permitted ? accounts.map(({ address }) => address) : []

type Shown = 'nothing' | 'other-key' | undefined

/** What a wallet answers to a request; what is not a wallet's business goes to the node of its chain. */
export async function answerRequest(
  wallet: EthereumState,
  method: string,
  params: unknown,
  fault: Shown,
): Promise<unknown> {
  const list: readonly unknown[] = Array.isArray(params) ? params : [params]
  switch (method) {
    case 'eth_requestAccounts':
      return open(wallet, fault)
    case 'eth_accounts':
      return fault === 'nothing' ? [] : opened(wallet)
    case 'eth_coinbase':
      return opened(wallet)[0] ?? null
    case 'eth_chainId':
      return numberToHex(wallet.chainId)
    case 'net_version':
      return String(wallet.chainId)
    case 'personal_sign':
      return personalSign(wallet, list, fault)
    case 'eth_signTypedData_v4':
      return signTypedData(wallet, list, fault)
    case 'eth_sendTransaction':
      return send(wallet, list[0], fault)
    case 'wallet_switchEthereumChain':
      return switchChain(wallet, list[0])
    case 'wallet_addEthereumChain':
      return addChain(wallet, list[0])
    case 'wallet_requestPermissions':
      await open(wallet, fault)
      return permissions(wallet)
    case 'wallet_getPermissions':
      return permissions(wallet)
    case 'wallet_revokePermissions':
      wallet.permit(false)
      return null
    case 'wallet_watchAsset':
      return true
    default:
      if (/^wallet_|^eth_(sign|accounts)|^personal_/.test(method))
        throw providerError(-32601, `The method "${method}" does not exist / is not available.`)
      return askNode(wallet, method, params)
  }
}

async function open(wallet: EthereumState, fault: Shown): Promise<Address[]> {
  if (fault === 'nothing') return []
  if (!wallet.permitted) {
    await agreed(wallet.approve, { wallet: wallet.name, kind: 'connect' })
    wallet.permit(true)
  }
  return opened(wallet)
}

const permissions = (wallet: EthereumState) =>
  wallet.permitted
    ? [
        {
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: opened(wallet) }],
        },
      ]
    : []

/** The account that is to sign: 4100 where it is not open to the page. */
function signerOf(wallet: EthereumState, address: unknown, fault: Shown): PrivateKeyAccount {
  const asked = typeof address === 'string' && isAddress(address, { strict: false }) ? address : undefined
  const account = asked && wallet.accounts.find((each) => isAddressEqual(each.address, asked))
  if (!account || !wallet.permitted)
    throw providerError(4100, 'The requested account and/or method has not been authorized by the user.')
  return fault === 'other-key' ? privateKeyToAccount(strangersKey) : account
}

async function personalSign(wallet: EthereumState, params: readonly unknown[], fault: Shown): Promise<Hex> {
  // Old pages name the address first, and wallets put up with it.
  const swapped = isAddress(String(params[0])) && !isAddress(String(params[1]))
  const [data, address] = swapped ? [params[1], params[0]] : params
  if (typeof data !== 'string') throw providerError(-32602, 'Invalid parameters: must provide a message.')
  const account = signerOf(wallet, address, fault)
  const text = isHex(data) ? hexToString(data) : data
  await agreed(wallet.approve, { wallet: wallet.name, kind: 'sign', text })
  return account.signMessage({ message: isHex(data) ? { raw: data } : data })
}

async function signTypedData(wallet: EthereumState, params: readonly unknown[], fault: Shown): Promise<Hex> {
  const [address, given] = params
  const account = signerOf(wallet, address, fault)
  const data = (typeof given === 'string' ? JSON.parse(given) : given) as TypedDataDefinition
  const chainId = data.domain?.chainId
  if (chainId !== undefined && Number(chainId) !== wallet.chainId)
    throw providerError(
      -32602,
      `Provided chainId "${chainId}" must match the active chainId "${wallet.chainId}"`,
    )
  await agreed(wallet.approve, {
    wallet: wallet.name,
    kind: 'sign',
    text: JSON.stringify(data.message, undefined, 2),
  })
  return account.signTypedData(data)
}

async function send(wallet: EthereumState, given: unknown, fault: Shown): Promise<Hex> {
  const { from, to, data, ...rest } = (given ?? {}) as Record<string, Hex | undefined>
  const account = signerOf(wallet, from, fault)
  const quantity = (name: string) => (rest[name] === undefined ? undefined : BigInt(rest[name]))
  const value = quantity('value')
  const gas = quantity('gas')
  const nonce = quantity('nonce')
  const text = JSON.stringify(given, undefined, 2)
  await agreed(wallet.approve, { wallet: wallet.name, kind: 'send', text })
  const client = createWalletClient({ account, transport: http(nodeOf(wallet)) })
  return client.sendTransaction({
    chain: null,
    ...(to && { to }),
    ...(data && { data }),
    ...(value !== undefined && { value }),
    ...(gas !== undefined && { gas }),
    ...(nonce !== undefined && { nonce: Number(nonce) }),
  })
}

function switchChain(wallet: EthereumState, given: unknown): null {
  const { chainId } = (given ?? {}) as { chainId?: unknown }
  if (!isHex(chainId))
    throw providerError(-32602, 'Expected 0x-prefixed, unpadded, non-zero hexadecimal string')
  if (!wallet.chains[Number(chainId)])
    throw providerError(
      4902,
      `Unrecognized chain ID "${chainId}". Try adding the chain using wallet_addEthereumChain first.`,
    )
  wallet.moveTo(Number(chainId))
  return null
}

async function addChain(wallet: EthereumState, given: unknown): Promise<null> {
  const { chainId, chainName, rpcUrls, nativeCurrency } = (given ?? {}) as Record<string, unknown>
  const node = Array.isArray(rpcUrls) ? rpcUrls[0] : undefined
  if (!isHex(chainId) || typeof chainName !== 'string' || typeof node !== 'string' || !URL.canParse(node))
    throw providerError(-32602, 'Expected a chain with chainId, chainName and rpcUrls.')
  if (typeof nativeCurrency !== 'object' || nativeCurrency === null)
    throw providerError(-32602, 'Expected a nativeCurrency.')
  await agreed(wallet.approve, { wallet: wallet.name, kind: 'add chain', text: `${chainName} at ${node}` })
  wallet.chains[Number(chainId)] ??= node
  wallet.moveTo(Number(chainId))
  return null
}

function nodeOf(wallet: EthereumState): string {
  const node = wallet.chains[wallet.chainId]
  if (!node) throw providerError(4901, 'The provider is disconnected from the specified chain.')
  return node
}

async function askNode(wallet: EthereumState, method: string, params: unknown): Promise<unknown> {
  const node = nodeOf(wallet)
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
    .then((response) => response.json() as Promise<{ result?: unknown; error?: RpcError }>)
    .catch((cause: unknown) => {
      throw providerError(-32603, 'The node could not be reached.', { cause: String(cause) })
    })
  if (answer.error) throw providerError(answer.error.code, answer.error.message, answer.error.data)
  return answer.result
}
interface RpcError {
  code: number
  message: string
  data?: unknown
}
