import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/call-decoder.ts'
import { Logo } from '../../ui/brand/logo.tsx'
import { Banner } from '../../ui/feedback/banner.tsx'
import { Content } from '../../ui/layout/content.tsx'
import { Body, Footer, Note } from '../../ui/layout/layout.tsx'
import { Well } from '../../ui/layout/well.tsx'
import { useAnnounced } from '../../ui/panel/panel-context.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { shortAddress } from '../../ui/wallet/address-text.ts'
import { Decision, RequestedBy } from '../../ui/wallet/request.tsx'
import { type TypedField, unlimitedSpender } from '../../ui/wallet/typed-data/fields.ts'
import { TypedFields } from '../../ui/wallet/typed-data/typed-fields.tsx'
import { TokenActionFacts } from '../token-action.tsx'

export type { TypedField }

export interface SignTypedDataProps {
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  /** Who asks, according to the page itself; never the host's words. */
  origin: string
  address: string
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
  error?: string | undefined
  done?: boolean | undefined
  cancellable: boolean
}

export type SignTypedDataAnswer = 'sign' | 'cancel'

/** Typed data, who asks for it, and the wallet that signs it. */
export const signTypedData = defineScreen<SignTypedDataProps, SignTypedDataAnswer>('sign-typed-data', {
  view: SignTypedData,
  closable: ({ cancellable }) => cancellable,
})

function SignTypedData(props: SignTypedDataProps & Answering<SignTypedDataAnswer>) {
  const { title, description, buttonText, iconUrl, origin, address, cancellable, error, done } = props
  const { domain, primaryType, fields, permit, busy, answer } = props
  const t = useWords()
  // Long content is signed only after its end has been in sight, so that nothing hides below.
  const [read, setRead] = useState<readonly TypedField[]>()
  const unread = read !== fields
  const [long, setLong] = useState(false)
  const problem = busy || done ? undefined : error
  useAnnounced(problem, 'alert')
  useAnnounced(done ? t('sign.done') : busy === 'sign' && t('sign.busy'))
  const risk = unlimitedSpender(fields)
  return (
    <>
      <Body title={title ?? t('sign.title')} subtitle={description ?? t('sign.description')} fit>
        <Content gap={12} fit>
          {iconUrl && (
            <div css={{ alignSelf: 'center' }}>
              <Logo url={iconUrl} name={title ?? t('sign.title')} />
            </div>
          )}
          <RequestedBy origin={origin} address={address} />
          {permit && <TokenActionFacts action={permit} />}
          <Well
            label={t('sign.data.label')}
            subject={fields}
            onEdge={(atEnd) => (atEnd ? setRead(fields) : setLong(true))}
          >
            <h3 css={heading}>
              <bdi>
                <Marked>{primaryType}</Marked>
              </bdi>
            </h3>
            <TypedFields fields={fields} />
            <Domain domain={domain} />
          </Well>
        </Content>
      </Body>
      <Footer>
        {problem ? (
          <Banner tone="danger">{problem}</Banner>
        ) : (
          risk && (
            <Banner tone="warning">
              {risk.address
                ? t('sign.data.unlimited', { spender: shortAddress(risk.address) })
                : t('sign.data.unlimitedSomebody')}
            </Banner>
          )
        )}
        {long && <Note silent={!unread}>{t('sign.readOn')}</Note>}
        <Decision
          agree="sign"
          words={buttonText ?? t('sign.button')}
          busyWords={t('sign.busy')}
          notYet={unread}
          {...{ busy, done, cancellable, answer }}
        />
      </Footer>
    </>
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
