/** Asks the nodes what a transaction takes from its wallet. */
import { InvalidRequest } from '../../../src/lib/invalid-request.ts'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import type { PreviewAnswer, SimulationView } from '../preview/answer.ts'
import { assetKey } from '../settings/permissions.ts'
import { denied } from './denials.ts'
import type { GrantTerms } from './terms.ts'

export const invalidTransaction = () => new Refusal('invalid_data', 'Invalid or missing: transaction')

/**
 * Reads a preview.
 * @throws Refusal `permission_denied`, `invalid_data`, `insufficient_funds`; Unavailable
 */
export async function readPreview(work: Promise<PreviewAnswer>, terms: Pick<GrantTerms, 'simulate'>) {
  const { prepared = {}, simulation } = await work.catch((cause: unknown) => {
    throw cause instanceof InvalidRequest
      ? invalidTransaction()
      : new Unavailable('The network could not be asked. Please try again.', { cause })
  })
  const simulated = simulatedAmounts(simulation, terms)
  if (prepared.is_underfunded === true)
    throw new Refusal(
      'insufficient_funds',
      'This wallet does not have enough for the transaction and its fee.',
    )
  return { prepared, simulated, figure: (name: string) => BigInt(String(prepared[name] ?? '0')) }
}

/** The amounts that a simulation has seen leave. @throws Refusal `permission_denied` for anything that the terms forbid */
function simulatedAmounts(
  simulation: SimulationView | undefined,
  { simulate }: Pick<GrantTerms, 'simulate'>,
): ReadonlyMap<string, bigint> {
  const isKnown = simulation?.outcome === 'simulated' && simulation.status === 'success'
  // One that was cut short, or doesn't say that it is whole, tells nothing of what it leaves out.
  if (simulate === 'require' && !(isKnown && simulation.is_complete === true)) throw denied('simulation')
  if (!isKnown) return new Map()
  if ((simulation.allowances ?? []).some(({ amount }) => amount !== '0')) throw denied('allowance')
  const amounts = new Map<string, bigint>()
  for (const { kind, token, id, amount } of simulation.out ?? []) {
    // No limit counts tokens one by one.
    if (id !== undefined || (kind !== 'native' && token === undefined)) throw denied('asset')
    const asset = token === undefined ? 'native' : assetKey(token)
    amounts.set(asset, (amounts.get(asset) ?? 0n) + BigInt(amount))
  }
  return amounts
}
