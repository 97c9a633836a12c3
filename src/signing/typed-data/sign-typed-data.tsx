import type { CSSObject } from '@emotion/react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/call-decoder.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Well } from '../../ui/layout/well.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { type TypedField, unlimitedSpender } from '../../ui/wallet/typed-data/fields.ts'
import { TypedFields } from '../../ui/wallet/typed-data/typed-fields.tsx'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'
import { TokenActionFacts } from '../token-action.tsx'

export type { TypedField }

export interface SignTypedDataProps extends SignatureRequestProps {
  /** What the signature is valid for: `chain` is a name, or an id in words. */
  domain: {
    readonly name?: string | undefined
    readonly version?: string | undefined
    readonly chain?: string | undefined
    readonly contract?: string | undefined
    readonly salt?: string | undefined
  }
  primaryType: string
  /** All fields: nothing is signed that is not shown. */
  fields: readonly TypedField[]
  /** What it allows, where that can be named. */
  permit?: TokenAction | undefined
}

/** Typed data, who asks for it, and the wallet that signs it. */
export const signTypedData = defineScreen<SignTypedDataProps, SignatureAnswer>('sign-typed-data', {
  view: SignTypedData,
  closable: ({ cancellable }) => cancellable,
})

function SignTypedData(props: SignTypedDataProps & Answering<SignatureAnswer>) {
  const { domain, primaryType, fields, permit, ...request } = props
  const t = useWords()
  return (
    <SignatureRequest {...request} subject={fields} warning={<Unlimited fields={fields} />}>
      {(onEdge) => (
        <>
          {permit && <TokenActionFacts action={permit} />}
          <Well label={t('sign.data.label')} subject={fields} onEdge={onEdge}>
            <h3 css={heading}>
              <bdi>
                <Marked>{primaryType}</Marked>
              </bdi>
            </h3>
            <TypedFields fields={fields} />
            <Domain domain={domain} />
          </Well>
        </>
      )}
    </SignatureRequest>
  )
}

/** A warning where somebody may take all there is. */
function Unlimited({ fields }: Pick<SignTypedDataProps, 'fields'>) {
  const t = useWords()
  const risk = unlimitedSpender(fields)
  if (!risk) return null
  return (
    <Banner tone="warning">
      {risk.address
        ? t('sign.data.unlimited', { spender: shortAddress(risk.address) })
        : t('sign.data.unlimitedSomebody')}
    </Banner>
  )
}

/** What the signature is good for, in the words of the app that asks. */
function Domain({ domain: { name, version, chain, contract, salt } }: Pick<SignTypedDataProps, 'domain'>) {
  const t = useWords()
  const all = [
    known(t('sign.data.name'), name),
    known(t('sign.data.version'), version),
    known(t('sign.network'), chain),
    known(t('sign.data.contract'), contract, 'address'),
    known(t('sign.data.salt'), salt),
  ].flatMap((one) => one ?? [])
  if (all.length === 0) return null
  return (
    <>
      <h3 css={[heading, apart]}>{t('sign.data.domain')}</h3>
      <TypedFields fields={all} />
    </>
  )
}

const known = (name: string, value: string | undefined, type = ''): TypedField | undefined =>
  value ? { name, type, value } : undefined

const heading: CSSObject = { ...text('detail'), margin: 0, marginBlockEnd: 8, fontWeight: 600 }

const apart: CSSObject = {
  marginBlockStart: 12,
  paddingBlockStart: 12,
  borderBlockStart: `1px solid ${color('border')}`,
}

export const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
