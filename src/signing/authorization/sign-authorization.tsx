import { type Answering, defineScreen } from '../../dialog/screen.ts'
import { Well } from '../../ui/layout/well.tsx'
import { Figure } from '../../ui/text/figure.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { Details } from '../../ui/wallet/detail-row.tsx'
import { networkRow } from '../../ui/wallet/network-row.tsx'
import { ActionFacts } from '../action-facts.tsx'
import type { Action, WalletCode, Warning } from '../preview.ts'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'
import { Warnings } from '../transaction/warnings.tsx'
import { codeRow } from '../wallet-code-row.tsx'

export interface SignAuthorizationProps extends SignatureRequestProps {
  /** CAIP-2 */
  chain: string
  network: string
  action: Extract<Action, { kind: 'code' }>
  /** The nonce of the wallet for which it is valid. */
  nonce: bigint
  /** The code that the wallet has already. */
  walletCode?: WalletCode | undefined
  warnings: readonly Warning[]
}

/** Code for the wallet's own address, which whoever has the signature can send. */
export const signAuthorization = defineScreen<SignAuthorizationProps, SignatureAnswer>('sign-authorization', {
  view: SignAuthorization,
  closable: ({ cancellable }) => cancellable,
})

function SignAuthorization(props: SignAuthorizationProps & Answering<SignatureAnswer>) {
  const { chain, network, action, nonce, walletCode, warnings, ...request } = props
  const t = useWords()
  const subject = [network, action.delegate ?? '', nonce].join(' ')
  return (
    <SignatureRequest
      {...request}
      title={
        props.title ?? t(`transaction.title.${action.delegate === undefined ? 'remove-code' : 'add-code'}`)
      }
      description={props.description ?? t('code.signed')}
      subject={subject}
      warning={<Warnings warnings={warnings} />}
    >
      {(onEdge) => (
        <Well label={t('sign.data.label')} subject={subject} onEdge={onEdge}>
          <ActionFacts action={action} />
          <Details
            rows={[
              networkRow(t('sign.network'), chain, network),
              ...(walletCode ? [codeRow(t, walletCode)] : []),
              [t('code.nonce'), <Figure key="nonce">{String(nonce)}</Figure>],
            ]}
          />
        </Well>
      )}
    </SignatureRequest>
  )
}
