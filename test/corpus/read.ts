/** Reads requests of the collections as the vault does before it displays them. */
import type { DescriptorSource } from '../../src/clear-signing/index.ts'
import { createTranslate } from '../../src/copy/copy.ts'
import { InvalidRequest } from '../../src/lib/invalid-request.ts'
import type { SignContent, SignRequest } from '../../src/protocol/frame/sign-request.ts'
import { factsIn, factsKey, type TokenFacts } from '../../src/signing/allowances.ts'
import { createLearned } from '../../src/signing/learn.ts'
import type { SignMessageProps } from '../../src/signing/message/sign-message.tsx'
import type { TransactionPreview, Warning } from '../../src/signing/preview.ts'
import {
  type SignTypedDataProps,
  warningsOf as typedDataWarnings,
} from '../../src/signing/typed-data/sign-typed-data.tsx'
import { readSignRequest } from '../../src/vault/approval/sign/kinds.ts'
import type { ReviewKnowledge } from '../../src/vault/approval/sign/review.ts'
import type { ServerPreview } from '../../src/vault/server/preview.ts'

export const origin = 'https://host.example'
/** The wallet of requests that name none. */
export const wallet = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'

/** What a person is told: the request is refused, or it is displayed with these warnings. */
export type Told =
  | { readonly refused: string }
  | { readonly displayed: readonly unknown[]; readonly warnings: readonly Warning[] }

/** What the vault's own server adds, where it is there. */
export interface Servers {
  readonly knowledge?: ReviewKnowledge | undefined
  readonly preview?: ServerPreview | undefined
}

/** The words that the vault's own server has: the registry's descriptors, and figures of tokens as their contracts say them. */
export interface Words {
  readonly descriptors?: DescriptorSource | undefined
  token(chainId: number, contract: string): TokenFacts | undefined
}

/** What the vault has learned of a request by the time that it displays it, asked for as the vault asks for it. */
export async function learn(
  content: SignContent,
  address: string,
  { descriptors: source, token }: Words,
): Promise<ReviewKnowledge> {
  const read = (knowledge?: ReviewKnowledge) =>
    readSignRequest(requestOf(content, address), { origin }, createTranslate(), knowledge)
  const nothing = { contracts: [], messages: [], tokens: [] }
  try {
    const { needed, tokens } = await read()
    const learned = createLearned()
    const chainId = needed?.chainId ?? tokens?.chainId ?? 0
    for (const { token: contract, owner } of tokens?.list ?? []) {
      const facts = token(chainId, contract)
      if (facts) learned.facts.set(factsKey(contract, owner), facts)
    }
    await learned.learn(
      {
        descriptors: async () => source && { source, implementations: {} },
        token: async (contract) => token(chainId, contract),
      },
      async (knowledge) => (await read(knowledge)).needed ?? nothing,
    )
    return { ...learned.knowledge(), findFacts: factsIn(learned.facts) }
  } catch (error) {
    // A request that is refused is refused whatever is known.
    if (error instanceof InvalidRequest) return {}
    throw error
  }
}

/** Reads a request of a wallet. */
export async function told(
  content: SignContent,
  address: string,
  { knowledge, preview }: Servers = {},
): Promise<Told> {
  try {
    const review = await readSignRequest(
      requestOf(content, address),
      { origin },
      createTranslate(),
      knowledge,
    )
    // Without a server's answer it is what the wait for one ends in.
    return warningsOf(review.confirmed?.(preview) ?? review.props)
  } catch (error) {
    if (error instanceof InvalidRequest) return { refused: error.message }
    throw error
  }
}

export function requestOf(content: SignContent, address: string): SignRequest {
  const chainType = content.kind.startsWith('solana') ? 'solana' : 'ethereum'
  return { root: { chainType, address }, walletIndex: 0, address, ...content } as SignRequest
}

function warningsOf(props: object): Told {
  const { preview } = props as { readonly preview?: TransactionPreview }
  if (preview) return { displayed: [...preview.actions, preview.balanceChanges], warnings: preview.warnings }
  const { actions = [] } = props as Partial<SignTypedDataProps>
  if ('primaryType' in props)
    return { displayed: actions, warnings: typedDataWarnings(props as SignTypedDataProps) }
  const {
    warnings = [],
    concern,
    message,
  } = props as Partial<SignMessageProps> & { warnings?: readonly Warning[] }
  // The banner of a message is no warning of a preview.
  const severity = concern === 'hash' ? 'danger' : 'warning'
  const banner = concern ? [{ code: 'unreadable', severity } as const] : []
  return { displayed: [message], warnings: [...warnings, ...banner] }
}

export const isRed = (answer: Told): boolean =>
  'refused' in answer || answer.warnings.some(({ severity }) => severity === 'danger')

/** The gravest severity. */
export function severityOf(answer: Told): 'refused' | Warning['severity'] | 'none' {
  if ('refused' in answer) return 'refused'
  const ranks = ['danger', 'warning', 'info'] as const
  return ranks.find((rank) => answer.warnings.some(({ severity }) => severity === rank)) ?? 'none'
}

/** Its codes, the gravest first, or why it is refused. */
export const codesOf = (answer: Told): string =>
  'refused' in answer
    ? `refused: ${answer.refused}`
    : (['danger', 'warning', 'info'] as const)
        .flatMap((rank) => answer.warnings.filter(({ severity }) => severity === rank))
        .map(({ code, severity }) => `${severity} ${code}`)
        .join(', ') || 'none'

export type Change = {
  readonly kind: string
  readonly token?: string
  readonly id?: bigint
  readonly amount: bigint
}
type Simulated = Extract<NonNullable<ServerPreview['simulation']>, { outcome: 'simulated' }>

type Grant = Simulated['allowances'][number] & { readonly account?: string }

/** What a trial run finds. */
export interface Effect {
  readonly out?: readonly Change[]
  readonly in?: readonly Change[]
  readonly allowances?: readonly Grant[]
  readonly tokens?: ServerPreview['tokens']
}

/** The server's preview of a trial run that succeeds. */
export const trialRun = (
  chain: string,
  {
    out = [],
    in: gained = [],
    allowances = [],
    tokens = {},
    ...more
  }: Effect & Partial<Pick<ServerPreview, 'lookups' | 'nodes' | 'disputed' | 'at' | 'block'>> = {},
): ServerPreview => ({
  version: 1,
  chain,
  tokens,
  lookups: {},
  disputed: [],
  at: undefined,
  prices: undefined,
  walletCode: null,
  balance: 10n ** 24n,
  nodes: 2,
  simulation: {
    outcome: 'simulated',
    status: 'success',
    out: [...out],
    in: [...gained],
    allowances: [...allowances],
    isComplete: true,
  },
  ...more,
})

/** A transaction that lacks nothing but its signature. */
export const evmTransaction = (
  fields: {
    readonly to?: string
    readonly value?: bigint
    readonly data?: string
    readonly chainId?: number
  } & Readonly<Record<string, unknown>>,
  from: string = wallet,
): Extract<SignContent, { kind: 'evmTransaction' }> => {
  const { value = 0n, chainId = 1, ...more } = fields
  return {
    kind: 'evmTransaction',
    action: 'send',
    transaction: {
      from,
      chainId,
      value: `0x${value.toString(16)}`,
      nonce: 0,
      type: 2,
      gasLimit: '0x7a120',
      maxFeePerGas: '0x3b9aca00',
      maxPriorityFeePerGas: '0x5f5e100',
      ...(more as object),
    },
  }
}
