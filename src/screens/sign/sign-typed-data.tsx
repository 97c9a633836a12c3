import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen, type Examples } from '../../core/screen.ts'
import { shortAddress } from '../../ui/address-text.ts'
import { Banner } from '../../ui/banner.tsx'
import { Content } from '../../ui/content.tsx'
import { Body, Footer, Note } from '../../ui/layout.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Marked } from '../../ui/marked.tsx'
import { useAnnounced } from '../../ui/panel-context.tsx'
import { Decision, RequestedBy } from '../../ui/request.tsx'
import { type TypedField, unlimitedSpender } from '../../ui/typed-data/fields.ts'
import { TypedFields } from '../../ui/typed-data/typed-fields.tsx'
import { Well } from '../../ui/well.tsx'
import { useWords } from '../../ui/words.tsx'

export type { TypedField }
export interface SignTypedDataProps {
  title?: string | undefined
  description?: string | undefined
  buttonText?: string | undefined
  iconUrl?: string | undefined
  /** Who asks, as the page itself says it; never the host's words. */
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
  /** All of them: nothing is signed that is not shown. */
  fields: readonly TypedField[]
  error?: string | undefined
  done?: boolean | undefined
  cancellable: boolean
}
export type SignTypedDataAnswer = 'sign' | 'cancel'

/** Typed data, who asks for it and the wallet that signs it. Spec §2 "Sign request", look 12.7. */
export const signTypedData = defineScreen<SignTypedDataProps, SignTypedDataAnswer>('sign-typed-data', {
  view: SignTypedData,
  closable: ({ cancellable }) => cancellable,
})

function SignTypedData(props: SignTypedDataProps & Answering<SignTypedDataAnswer>) {
  const { title, description, buttonText, iconUrl, origin, address, cancellable, error, done } = props
  const { domain, primaryType, fields, busy, answer } = props
  const t = useWords()
  // Security T33: what is long is signed only after its end has been in sight.
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

/** What the signature is good for, in the words of whoever asks. */
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

const owner = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
const spender = '0xE592427A0AEce92De3Edee1F18E0157C05861564'
const token = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const field = (name: string, type: string, value: TypedField['value']): TypedField => ({ name, type, value })
const mail: SignTypedDataProps = {
  origin: 'https://harbor.example',
  address: owner,
  domain: { name: 'Harbor Mail', version: '1', chain: 'Base', contract: token },
  primaryType: 'Letter',
  fields: [
    field('from', 'Person', [field('name', 'string', 'Ada'), field('wallet', 'address', owner)]),
    field('to', 'Person', [field('name', 'string', 'Grace'), field('wallet', 'address', spender)]),
    field('contents', 'string', 'See you at the pier.'),
  ],
  cancellable: true,
}
const permit: SignTypedDataProps = {
  ...mail,
  domain: { name: 'USD Coin', version: '2', chain: 'Ethereum', contract: token },
  primaryType: 'Permit',
  fields: [
    field('owner', 'address', owner),
    field('spender', 'address', spender),
    field(
      'value',
      'uint256',
      '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    ),
    field('nonce', 'uint256', '0'),
    field('deadline', 'uint256', '1893456000'),
  ],
}
const short: SignTypedDataProps = {
  ...mail,
  domain: { name: 'Harbor' },
  primaryType: 'Berth',
  fields: [field('number', 'uint8', '7'), field('reserved', 'bool', 'true')],
}
const deep = (level: number): TypedField =>
  level === 0 ? field('leaf', 'bytes4', '0x7f3a11c9') : field(`level${level}`, 'Node', [deep(level - 1)])
export const examples = {
  rest: { props: mail },
  short: { props: short },
  'a permit without a limit': { props: permit },
  'nothing about the domain': { props: { ...short, domain: {} } },
  signing: { props: short, busy: 'sign' },
  cancelling: { props: short, busy: 'cancel' },
  failed: { props: { ...mail, error: 'An error has occurred, please try again.' } },
  done: { props: { ...short, done: true } },
  'not cancellable': { props: { ...mail, cancellable: false } },
  'own words': {
    props: {
      ...mail,
      title: 'Confirm your berth',
      description: 'The harbour master needs your signature. It costs nothing.',
      buttonText: 'Confirm',
      iconUrl:
        'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"%3E%3Ccircle cx="24" cy="24" r="22" fill="%230E9F8A"/%3E%3C/svg%3E',
    },
  },
  'lists, empty ones and invisible characters': {
    props: {
      ...mail,
      domain: { name: 'Har\u202Ebor', chain: 'Base' },
      primaryType: 'Order',
      fields: [
        field('items', 'Item[]', [
          field('0', 'Item', [field('id', 'uint256', '12'), field('note', 'string', 'zero\u200Bwidth')]),
          field('1', 'Item', [field('id', 'uint256', '13'), field('note', 'string', '')]),
        ]),
        field('fees', 'uint256[]', []),
        field('data', 'bytes', /* @__PURE__ */ `0x${'4f56e0b3'.repeat(24)}`),
        field('validTo', 'uint32', '4294967295'),
      ],
    },
  },
  'thirty levels': { props: { ...mail, primaryType: 'Tree', fields: [/* @__PURE__ */ deep(30)] } },
  'longest words': {
    props: {
      ...mail,
      origin:
        'https://a-very-long-subdomain-for-members-only.accounts.energieversorgung-oberland.example:8443',
      domain: {
        name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützenverleih',
        version: '2026.08.1-hafenverwaltung',
        chain: 'Hafenkette der Energieversorgung Oberland (id 7777777)',
        contract: token,
        salt: /* @__PURE__ */ `0x${'4f56e0b3'.repeat(8)}`,
      },
      primaryType: 'DonaudampfschifffahrtsgesellschaftskapitänsmützenverleihVertrag',
      fields: [
        field('anExtremelyLongFieldNameThatSomebodyHasThoughtOf', 'ZuständigkeitErgänzungsVerordnung', [
          field('stringThatGoesOnAndOn', 'string', /* @__PURE__ */ 'Aye. '.repeat(60)),
        ]),
      ],
    },
  },
} satisfies Examples<typeof signTypedData>
