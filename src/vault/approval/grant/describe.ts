import type { Translate } from '../../../copy/copy.ts'
import { formatUnits } from '../../../ethereum/amounts.ts'
import { supportedChains } from '../../../ethereum/chains.ts'
import { ethereumChainNumber } from '../../../lib/caip.ts'
import type { GrantOffer, GrantTerms } from '../../server/grants.ts'
import { chains } from '../sign/chains.ts'
import type { GivePermissionProps } from './give-permission.tsx'

/** Terms as the window shows them. Every word is the vault's own, but for names and the purpose, which are the server's. */
export function describeGrant(
  t: Translate,
  app: string,
  { address, terms }: GrantOffer,
): Omit<GivePermissionProps, 'error'> {
  const { signer, purpose, chains: networks, allow, limits, days, maxUses: uses } = terms
  const several = networks.length > 1
  const on = (text: string, chain: string) => (several ? `${text} (${networkName(chain)})` : text)
  const amounts = limits.map(({ total, decimals, symbol, chain }) =>
    on(`${formatUnits(total, decimals)} ${symbol}`, chain),
  )
  return {
    app,
    signer: signer.name,
    purpose,
    address,
    networks: networks.map(networkName),
    allowed: allow.flatMap((each): GivePermissionProps['allowed'] => {
      if ('contract' in each)
        return [
          {
            label: on(t('permission.call'), each.chain),
            value: each.functions.map((name) => name.slice(0, name.indexOf('('))).join(', '),
            places: [each.contract],
          },
        ]
      const asset = symbolOf(terms, each.chain, each.transfer)
      return each.to === null
        ? [
            {
              label: on(t('permission.send', { asset }), each.chain),
              value: t('permission.anyone'),
              places: [],
            },
          ]
        : [{ label: on(t('permission.sendTo', { asset }), each.chain), places: each.to }]
    }),
    limits: [
      ...limits.flatMap((each): (readonly [string, string])[] => {
        const amount = (units: bigint) => `${formatUnits(units, each.decimals)} ${each.symbol}`
        const asset = on(each.symbol, each.chain)
        return [
          [t('permission.atOnce', { asset }), amount(each.perTransaction)],
          [t('permission.inTime', { asset, time: spanText(t, each.windowSeconds) }), amount(each.perWindow)],
        ]
      }),
      ...(uses === undefined ? [] : [[t('permission.uses'), String(uses)] as const]),
    ],
    worst: amounts,
    hasCalls: allow.some((each) => 'contract' in each),
    days,
  }
}

function symbolOf({ limits }: GrantTerms, chain: string, asset: string): string {
  return limits.find((each) => each.chain === chain && each.asset === asset)?.symbol ?? asset
}

/** A chain that the vault doesn't know is shown by its id. */
function networkName(chain: string): string {
  const id = ethereumChainNumber(chain)
  if (id !== undefined) return supportedChains(chains).find((each) => each.id === id)?.name ?? chain
  const [, cluster = ''] = chain.split(':')
  return cluster === 'mainnet' ? 'Solana' : `Solana ${cluster}`
}

const HOUR = 3_600
const DAY = 86_400
function spanText(t: Translate, seconds: number): string {
  if (seconds === HOUR) return t('permission.hour')
  if (seconds === DAY) return t('permission.day')
  if (seconds % DAY === 0) return t('permission.days', { count: String(seconds / DAY) })
  if (seconds % HOUR === 0) return t('permission.hours', { count: String(seconds / HOUR) })
  return t('permission.minutes', { count: String(Math.ceil(seconds / 60)) })
}
