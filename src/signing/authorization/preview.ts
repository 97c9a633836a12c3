/** An authorization of code for the wallet's own address, as its screen displays it. */
import { type CodeAuthorization, type Delegate, NO_CODE, toWalletCode } from '../../ethereum/wallet-code.ts'
import type { Warning } from '../preview.ts'
import type { SignAuthorizationProps } from './sign-authorization.tsx'

interface AuthorizationContext {
  readonly network: string
  readonly delegates: readonly Delegate[]
  /** The contract whose code the wallet has already. */
  readonly walletCode?: string | undefined
  readonly warnings?: readonly Warning[] | undefined
}

/** The properties that say what is signed. Pure. */
export function authorizationProps(
  { address, chainId, nonce }: CodeAuthorization,
  { network, delegates, walletCode, warnings = [] }: AuthorizationContext,
): Pick<SignAuthorizationProps, 'chain' | 'network' | 'action' | 'nonce' | 'walletCode' | 'warnings'> {
  const named = (delegate: string) => toWalletCode(delegates, chainId, delegate)
  const present = walletCode ? named(walletCode) : undefined
  return {
    chain: `eip155:${chainId}`,
    network,
    nonce,
    action: { kind: 'code', ...(address !== NO_CODE && named(address)) },
    ...(present && { walletCode: present }),
    warnings: [
      ...warnings,
      ...(present && present.name === undefined
        ? [{ code: 'foreign-code', severity: 'danger', address: present.delegate } as const]
        : []),
    ],
  }
}
