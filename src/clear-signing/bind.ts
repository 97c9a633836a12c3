/** Whether a descriptor is made for a call or a message: its `context`, checked in full. */

import { parseNumber } from '../ethereum/calls/values.ts'
import type { TypedData } from '../ethereum/typed-data.ts'
import { isPlainObject, type Plain } from '../lib/plain.ts'
import type { Candidate } from './description.ts'
import { getProperty, readDeployments } from './descriptor.ts'
import type { Session } from './session.ts'
import { hashDomain, messageChainId } from './typed-data.ts'

/** `direct`, or the implementation behind the proxy that the descriptor is made for; `undefined` if it is for something else. */
export type Binding = 'direct' | { readonly implementation: string } | undefined

/**
 * Checks a descriptor of functions against the contract that is called. Deployments name it, or its implementation if the data
 * provider knows one; a factory, if the provider knows that it has created the contract. What can't be decided here, such as an
 * `addressMatcher` of earlier versions, binds nothing.
 */
export function bindCall({ descriptor }: Candidate, chainId: number, to: string, session: Session): Binding {
  const contract = getProperty(getProperty(descriptor, 'context'), 'contract')
  if (!isPlainObject(contract)) return undefined
  const deployments = readDeployments(contract)
  if (!deployments && contract.factory === undefined) return undefined
  // Both are constraints: a descriptor that has both applies where both hold.
  const binding = deployments ? bindDeployments(deployments, chainId, to, session) : 'direct'
  if (contract.factory === undefined || !binding) return binding
  return bindFactory(contract.factory, chainId, to, session) && binding
}

function bindDeployments(
  deployments: readonly { readonly chainId: number; readonly address: string }[],
  chainId: number,
  to: string,
  session: Session,
): Binding {
  const names = (address: string) =>
    deployments.some((deployment) => deployment.chainId === chainId && deployment.address === address)
  if (names(to)) return 'direct'
  const implementation = session.data.implementation?.(chainId, to)?.toLowerCase()
  return implementation !== undefined && names(implementation) ? { implementation } : undefined
}

function bindFactory(factory: Plain | undefined, chainId: number, to: string, session: Session): Binding {
  const event = getProperty(factory, 'deployEvent')
  const deployments = readDeployments(factory)
  if (typeof event !== 'string' || !deployments?.some((each) => each.chainId === chainId)) return undefined
  const creation = session.data.creation?.(chainId, to)
  if (!creation) session.need({ kind: 'creation', chainId, address: to })
  const isMadeThere =
    creation?.event === event &&
    deployments.some((each) => each.chainId === chainId && each.address === creation.factory.toLowerCase())
  return isMadeThere ? 'direct' : undefined
}

/** Checks a descriptor of messages against the domain of typed data. Without a chain and a contract there is nothing to bind to. */
export function bindMessage({ descriptor }: Candidate, typed: TypedData, session: Session): Binding {
  const context = getProperty(getProperty(descriptor, 'context'), 'eip712')
  const { contract } = typed.domain
  const chainId = messageChainId(typed)
  if (!isPlainObject(context) || chainId === undefined || !contract) return undefined
  if (!matchesDomain(context.domain, typed)) return undefined
  const { domainSeparator: separator } = context
  const hasSeparator = typeof separator === 'string'
  if (hasSeparator && separator.toLowerCase() !== hashDomain(typed)) return undefined
  const deployments = readDeployments(context)
  if (deployments) return bindDeployments(deployments, chainId, contract.toLowerCase(), session)
  // A name alone is no bond: anybody can call a domain so.
  const names =
    getProperty(context.domain, 'verifyingContract') !== undefined &&
    getProperty(context.domain, 'chainId') !== undefined
  return hasSeparator || names ? 'direct' : undefined
}

function matchesDomain(domain: Plain | undefined, { domainFields }: TypedData): boolean {
  if (domain === undefined) return true
  if (!isPlainObject(domain)) return false
  return Object.entries(domain).every(([key, expected]) => {
    const actual = domainFields.find(({ name }) => name === key)?.value
    if (typeof actual !== 'string') return false
    if (key === 'chainId') return parseNumber(expected) === BigInt(actual)
    if (key === 'verifyingContract' || key === 'salt')
      return typeof expected === 'string' && expected.toLowerCase() === actual.toLowerCase()
    return expected === actual
  })
}
