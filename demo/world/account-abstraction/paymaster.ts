import { Hono } from 'hono'
import * as v from 'valibot'
import {
  type Abi,
  type Address,
  concatHex,
  createTestClient,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  getAddress,
  type Hex,
  http,
  isAddressEqual,
  pad,
  parseAbi,
  parseEther,
  publicActions,
  walletActions,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { deploymentCode } from '../chains/contract-wallets.ts'
import { crossOrigin } from '../cross-origin.ts'
import { notePage, pageHeaders } from '../payments/pages.ts'
import { targetsOf } from './account-calls.ts'
import { conductPage, createConduct, neverAnswer } from './behaviour.ts'
import {
  addressOf,
  artifact,
  type Contracts,
  type Deployment,
  type EntryPointVersion,
  entryPointAddresses,
  entryPointVersions,
} from './contracts.ts'
import { answerRpc, INVALID_FIELDS, RpcError, type RpcMethods, readParameter } from './json-rpc.ts'
import { awaitInclusion, createNode, toQuantity } from './node.ts'
import {
  gasOf,
  type Operation,
  quantity,
  readEntryPoint,
  readOperation,
  toContractForm,
} from './user-operation.ts'

export const paymasterBehaviours = {
  normal: 'Sponsors operations within its policy',
  decline: 'Declines everything',
  'decline-late': 'Promises to sponsor, and declines in the end',
  expired: 'Sponsors for a time that is over',
  brief: 'Sponsors for the next ten seconds',
  'wrong-signature': 'Signs with a key that its contract does not know',
  'no-deposit': 'Sponsors with a contract that has no deposit',
  'other-answer': 'Promises one contract, and sponsors with another',
  nameless: 'Gives neither name nor icon of the sponsor',
  silent: 'Answers nothing',
  down: 'Is out of order',
} as const
export type PaymasterBehaviour = keyof typeof paymasterBehaviours

/** Rules of a sponsor. */
export interface SponsorPolicy {
  /** Named by the context of a request, as `policy_id` or `policyId`; the first policy is meant where none is named. */
  readonly id: string
  readonly sponsor: { readonly name: string; readonly icon?: string }
  /** The contracts that may be called; all, where there is no list. */
  readonly contracts?: readonly Address[]
  /** Wei that operations of one sender may cost at most, all together. */
  readonly limitPerUser?: bigint
}

/** The sponsor's key. All keys here are public, like anvil's. */
const signer = privateKeyToAccount(`0x${'5a'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'5b'.repeat(32)}`)
const depositor = privateKeyToAccount(`0x${'5c'.repeat(32)}`)
const DEPOSIT = parseEther('10000')
/** Seconds that a signature is good for. */
const VALIDITY = 600
const DENIED = -32_002

const context = v.nullish(
  v.looseObject({ policy_id: v.optional(v.string()), policyId: v.optional(v.string()) }),
  {},
)

/** @param salt distinguishes the contract that has no deposit */
function verifyingPaymaster(version: '0.6' | '0.7', salt: Hex): Deployment {
  const { abi, bytecode } = artifact(version, 'VerifyingPaymaster')
  const args = [entryPointAddresses[version], signer.address]
  return { name: `VerifyingPaymaster ${version}`, salt, bytecode: encodeDeployData({ abi, bytecode, args }) }
}
/** The contract that pays for operations of EntryPoint 0.7, on every chain. */
export const sponsorContract = (): Address => addressOf(verifyingPaymaster('0.7', zeroHash))

const entryPointAbi = parseAbi([
  'function depositTo(address account) payable',
  'function balanceOf(address account) view returns (uint256)',
])
const bare = (address: Address) => address.slice(2).toLowerCase()

/**
 * A paymaster service (ERC-7677) for the EntryPoints 0.6, 0.7 and 0.8 of each chain, at `{base}/{chainId}`.
 * @param options.base where it is mounted
 * @param options.policies at least one
 */
export function createPaymaster({
  base,
  contracts,
  policies,
  now = Date.now,
}: {
  base: string
  contracts: Contracts
  policies: readonly [SponsorPolicy, ...SponsorPolicy[]]
  now?: () => number
}) {
  const conduct = createConduct(paymasterBehaviours)
  const closing = new AbortController()
  const sponsoring = new Map<number, ReturnType<typeof open>>()
  /** Wei that senders may cost by now, by policy, chain and sender. */
  const spent = new Map<string, bigint>()

  function open(chainId: number, url: string) {
    const node = createNode(url)
    const client = createTestClient({
      mode: 'anvil',
      account: depositor,
      transport: http(url),
      pollingInterval: 20,
    })
      .extend(publicActions)
      .extend(walletActions)

    /** Puts the contracts onto the chain, those with this salt. */
    async function deployWith(salt: Hex): Promise<Record<EntryPointVersion, Address>> {
      const [older, newer] = [verifyingPaymaster('0.6', salt), verifyingPaymaster('0.7', salt)]
      await contracts.deploy(chainId, [older, newer])
      // No package has one for EntryPoint 0.8, which takes operations in the same form as 0.7: only its address is another.
      const code = (await client.getCode({ address: addressOf(newer) })) ?? '0x'
      const adapted = code.replaceAll(
        bare(entryPointAddresses['0.7']),
        bare(entryPointAddresses['0.8']),
      ) as Hex
      const newest = { name: 'VerifyingPaymaster 0.8', salt, bytecode: deploymentCode(adapted) }
      await contracts.deploy(chainId, [newest])
      return { '0.6': addressOf(older), '0.7': addressOf(newer), '0.8': addressOf(newest) }
    }
    async function prepare() {
      await contracts.ready(chainId)
      await client.setBalance({ address: depositor.address, value: DEPOSIT * 10n })
      const funded = await deployWith(zeroHash)
      const unfunded = await deployWith(pad('0x01'))
      for (const version of entryPointVersions) {
        const to = entryPointAddresses[version]
        const args = [funded[version]] as const
        const balance = encodeFunctionData({ abi: entryPointAbi, functionName: 'balanceOf', args })
        if (BigInt(await node.call({ to, data: balance })) >= DEPOSIT / 2n) continue
        const data = encodeFunctionData({ abi: entryPointAbi, functionName: 'depositTo', args })
        const hash = await client.sendTransaction({ chain: null, to, data, value: DEPOSIT })
        await awaitInclusion(node, hash)
      }
      return { funded, unfunded }
    }
    const ready = prepare()
    ready.catch(() => {})
    return { chainId, node, client, ready }
  }
  function chainOf(chainId: number) {
    const url = contracts.chains[chainId]
    if (url === undefined) return undefined
    const known = sponsoring.get(chainId) ?? open(chainId, url)
    sponsoring.set(chainId, known)
    return known
  }

  function policyOf(given: v.InferOutput<typeof context>): SponsorPolicy {
    const id = given?.policy_id ?? given?.policyId
    const policy = id === undefined ? policies[0] : policies.find((each) => each.id === id)
    if (!policy) throw new RpcError(INVALID_FIELDS, `There is no policy ${id}`)
    return policy
  }
  const accountOf = (policy: SponsorPolicy, chainId: number, { fields }: Operation) =>
    `${policy.id} ${chainId} ${fields.sender}`

  /** @throws RpcError unless the policy sponsors the operation */
  function assertSponsored(policy: SponsorPolicy, chainId: number, operation: Operation): void {
    const denied = (reason: string) => new RpcError(DENIED, `request denied - ${reason}`)
    if (conduct.is('decline')) throw denied('no sponsorship available')
    const { contracts: allowed, limitPerUser } = policy
    if (allowed) {
      const targets = targetsOf(operation.fields.callData)
      if (!targets) throw denied('the calls of this account are unknown')
      const other = targets.find((each) => !allowed.some((one) => isAddressEqual(one, each)))
      if (other) throw denied(`called address not in allowlist: ${getAddress(other)}`)
    }
    const account = accountOf(policy, chainId, operation)
    const cost = (spent.get(account) ?? 0n) + gasOf(operation) * operation.fields.maxFeePerGas
    if (limitPerUser !== undefined && cost > limitPerUser) throw denied('max spend per address reached')
  }

  type Chain = NonNullable<ReturnType<typeof chainOf>>

  /** The paymaster's part of an operation, with a signature in it. */
  async function partOf({ ready, node, client }: Chain, operation: Operation, isFinal: boolean) {
    const { version, fields } = operation
    const { funded, unfunded } = await ready
    const isUnfunded = conduct.is('no-deposit') || (isFinal && conduct.is('other-answer'))
    const paymaster = (isUnfunded ? unfunded : funded)[version]
    const { timestamp } = await client.getBlock()
    const today = Math.max(Number(timestamp), Math.floor(now() / 1_000))
    const validity = conduct.is('expired') ? -60 : conduct.is('brief') ? 10 : VALIDITY
    const validUntil = today + (isFinal ? validity : VALIDITY)
    const range = encodeAbiParameters([{ type: 'uint48' }, { type: 'uint48' }], [validUntil, 0])
    const unsigned = concatHex([range, `0x${'00'.repeat(65)}`])
    const isOlder = version === '0.6'
    const gas = {
      paymasterVerificationGasLimit: fields.paymasterVerificationGasLimit ?? 0n,
      paymasterPostOpGasLimit: fields.paymasterPostOpGasLimit ?? 0n,
    }
    const signed = {
      version,
      fields: {
        ...fields,
        ...(isOlder
          ? { paymasterAndData: concatHex([paymaster, unsigned]) }
          : { paymaster, paymasterData: unsigned, ...gas }),
      } as Operation['fields'],
    }
    const abi: Abi = artifact(isOlder ? '0.6' : '0.7', 'VerifyingPaymaster').abi
    const args = [toContractForm(signed), validUntil, 0]
    const data = encodeFunctionData({ abi, functionName: 'getHash', args })
    const raw = await node.call({ to: paymaster, data })
    const key = isFinal && conduct.is('wrong-signature') ? stranger : signer
    const paymasterData = concatHex([range, await key.signMessage({ message: { raw } })])
    if (isOlder) return { paymasterAndData: concatHex([paymaster, paymasterData]) }
    // The contract has nothing to do once an operation was carried out.
    return { paymaster, paymasterData, ...(!isFinal && { paymasterPostOpGasLimit: toQuantity(0n) }) }
  }

  function methodsOf(chain: Chain): RpcMethods {
    const { chainId } = chain
    function read(params: readonly unknown[], complete: boolean) {
      const [given, entryPoint, chainOfCall, contextOfCall] = params
      if (Number(readParameter(quantity, chainOfCall)) !== chainId)
        throw new RpcError(INVALID_FIELDS, `This is the sponsor of chain ${chainId}`)
      // The account signs last of all.
      const { signature: _, ...rest } = readParameter(v.record(v.string(), v.unknown()), given)
      const operation = readOperation(
        complete ? { ...rest, signature: '0x' } : rest,
        readEntryPoint(entryPoint),
        { complete },
      )
      const policy = policyOf(readParameter(context, contextOfCall))
      assertSponsored(policy, chainId, operation)
      return { operation, policy }
    }
    return {
      async pm_getPaymasterStubData(params) {
        const { operation, policy } = read(params, false)
        const part = await partOf(chain, operation, false)
        return { ...part, ...(!conduct.is('nameless') && { sponsor: policy.sponsor }), isFinal: false }
      },
      async pm_getPaymasterData(params) {
        const { operation, policy } = read(params, true)
        if (conduct.is('decline-late'))
          throw new RpcError(DENIED, 'request denied - no sponsorship available')
        const part = await partOf(chain, operation, true)
        const account = accountOf(policy, chainId, operation)
        spent.set(account, (spent.get(account) ?? 0n) + gasOf(operation) * operation.fields.maxFeePerGas)
        return part
      },
    }
  }

  const app = new Hono()
  app.use('*', crossOrigin({ methods: ['GET', 'POST'] }))
  app.get('/', (c) => {
    const choices = paymasterBehaviours
    const page = conductPage('The sponsor', { action: `${base}/behaviour`, chosen: conduct.now, choices })
    return c.html(page, 200, pageHeaders())
  })
  app.post('/behaviour', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    if (!conduct.set(form.get('behaviour') ?? '')) return c.json({ error: 'There is no such behaviour' }, 400)
    const note = 'It counts for all requests from now on.'
    return c.html(notePage('the sponsor', 'Chosen', note, base), 200, pageHeaders())
  })
  app.post('/:chainId', async (c) => {
    const chain = chainOf(Number(c.req.param('chainId')))
    if (!chain) return c.json({ error: 'There is no such chain' }, 404)
    if (conduct.is('silent')) return neverAnswer(c.req.raw.signal, closing.signal)
    if (conduct.is('down')) return c.json({ error: 'The sponsor is out of order' }, 502)
    return answerRpc(c.req.raw, methodsOf(chain))
  })

  return {
    app,
    url: (chainId: number) => `${base}/${chainId}`,
    control: {
      behave: (behaviour: PaymasterBehaviour) => conduct.set(behaviour),
      /** Forgets what senders have cost. */
      forget: () => spent.clear(),
    },
    close: () => closing.abort(),
  }
}
