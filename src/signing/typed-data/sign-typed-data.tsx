import type { CSSObject } from '@emotion/react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Well } from '../../ui/layout/well.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { hasUnreadable, spenderOf, type TypedField } from '../../ui/wallet/typed-data/fields.ts'
import { TypedFields } from '../../ui/wallet/typed-data/typed-fields.tsx'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'
import { AllowanceWarning, TokenActionFacts } from '../token-action.tsx'

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
  /** The message that it wraps for a smart account. */
  held?: string | undefined
  /** A key may be made from the signature. */
  givesKey?: boolean | undefined
}

/** Typed data, who asks for it, and the wallet that signs it. */
export const signTypedData = defineScreen<SignTypedDataProps, SignatureAnswer>('sign-typed-data', {
  view: SignTypedData,
  closable: ({ cancellable }) => cancellable,
})

function SignTypedData(props: SignTypedDataProps & Answering<SignatureAnswer>) {
  const { domain, primaryType, fields, permit, held, givesKey, ...request } = props
  const t = useWords()
  return (
    <SignatureRequest {...request} subject={fields} warning={<Warning {...props} />}>
      {(onEdge) => (
        <>
          {permit && <TokenActionFacts action={permit} />}
          <Well label={t('sign.data.label')} subject={fields} onEdge={onEdge}>
            {held !== undefined && (
              <div css={within}>
                <h3 css={heading}>{t('sign.message')}</h3>
                <bdi css={plain} dir="auto">
                  <Marked>{held}</Marked>
                </bdi>
              </div>
            )}
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

/** A warning where somebody may get something, or where nobody can tell. */
function Warning({ fields, permit, held, givesKey }: SignTypedDataProps) {
  const t = useWords()
  if (permit) return <AllowanceWarning action={permit} />
  const spender = spenderOf(fields)
  if (spender?.address !== undefined) {
    const named = { spender: shortAddress(spender.address) }
    return (
      <Banner tone="warning">{t(spender.all ? 'sign.data.unlimited' : 'sign.data.spender', named)}</Banner>
    )
  }
  if (spender)
    return (
      <Banner tone="warning">
        {t(spender.all ? 'sign.data.unlimitedSomebody' : 'sign.data.spenderSomebody')}
      </Banner>
    )
  if (givesKey) return <Banner tone="warning">{t('sign.concern.key')}</Banner>
  return held === undefined && hasUnreadable(fields) ? (
    <Banner tone="warning">{t('sign.data.unreadable')}</Banner>
  ) : null
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

const within: CSSObject = {
  marginBlockEnd: 12,
  paddingBlockEnd: 12,
  borderBlockEnd: `1px solid ${color('border')}`,
}
const plain: CSSObject = { display: 'block', whiteSpace: 'pre-wrap' }

export const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
