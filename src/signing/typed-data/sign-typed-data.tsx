import type { CSSObject } from '@emotion/react'
import { useState } from 'react'
import { color, text } from '../../../styles/tokens.ts'
import { type Answering, defineScreen } from '../../dialog/screen.ts'
import type { TokenAction } from '../../ethereum/token-action.ts'
import { Well } from '../../ui/layout/well.tsx'
import { Marked } from '../../ui/text/marked.tsx'
import { useWords } from '../../ui/text/words.tsx'
import { hasUnreadable, spenderOf, type TypedField } from '../../ui/wallet/typed-data/fields.ts'
import { TypedFields } from '../../ui/wallet/typed-data/typed-fields.tsx'
import { ActionFacts } from '../action-facts.tsx'
import { AllowanceChoices, type AllowanceNote, AllowanceNoteLine } from '../allowance-choice.tsx'
import {
  type Action,
  type Asset,
  allowanceWarnings,
  type EditableAllowance,
  titleOf,
  type Warning,
} from '../preview.ts'
import { type SignatureAnswer, SignatureRequest, type SignatureRequestProps } from '../signature-request.tsx'
import { TokenActionFacts } from '../token-action-facts.tsx'
import { Warnings } from '../transaction/warnings.tsx'

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
  /** The token of the permit. */
  permitAsset?: Asset | undefined
  /** Allowances that the user may lower. */
  allowances?: readonly EditableAllowance[] | undefined
  /** Why an allowance can't be lowered. */
  allowanceNote?: AllowanceNote | undefined
  /** What it does beside that, as far as its shape or a descriptor says. */
  actions?: readonly Action[] | undefined
  /** The coin of the network of its actions. */
  coin?: Asset | undefined
  warnings?: readonly Warning[] | undefined
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
  const { domain, primaryType, fields, permit, actions = [], warnings, held, givesKey, ...request } = props
  const { permitAsset, allowances, allowanceNote, busy, answer } = props
  const [ownOpen, setOwnOpen] = useState<number>()
  const t = useWords()
  const does = wordsOfTypedData(props)
  const title = props.title ?? (does && t(does))
  const description = props.description ?? (givesSomething(props) ? t('sign.gives') : undefined)
  return (
    <SignatureRequest
      {...request}
      title={title}
      description={description}
      subject={fields}
      notYet={ownOpen !== undefined}
      warning={<Warnings warnings={warningsOf(props)} />}
    >
      {(onEdge) => (
        <>
          {permit && <TokenActionFacts action={permit} asset={permitAsset} />}
          {actions.map((action, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: typed data may do the same twice
            <ActionFacts key={i} action={action} coin={props.coin} />
          ))}
          {allowanceNote && <AllowanceNoteLine note={allowanceNote} />}
          {allowances && !props.done && (
            <AllowanceChoices
              allowances={allowances}
              busy={busy !== undefined}
              ownOpen={ownOpen}
              onOpenOwn={setOwnOpen}
              onChange={(allowance) => answer({ edited: { allowance } })}
            />
          )}
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

/** Warnings where somebody may get something, or where nobody can tell. */
export function warningsOf({
  fields,
  permit,
  actions = [],
  warnings = [],
  held,
  givesKey,
}: SignTypedDataProps): readonly Warning[] {
  const known = [...(permit ? allowanceWarnings(permit) : []), ...warnings]
  if (permit) return known
  const spender = spenderOf(fields)
  if (spender) {
    const { all, address } = spender
    const isNamed = known.some(({ code }) => code === 'unlimited-allowance' || (!all && code === 'allowance'))
    if (isNamed) return known
    const code = all ? 'unlimited' : 'allowance'
    return [
      ...known,
      {
        code: address === undefined ? `${code}-somebody` : all ? 'unlimited-allowance' : 'allowance',
        severity: all ? 'danger' : 'warning',
        ...(address !== undefined && { spender: address }),
      },
    ]
  }
  if (givesKey) return [...known, { code: 'gives-key', severity: 'warning' }]
  const isJudged = known.some(({ code }) => code !== 'undescribed')
  const isRead = held !== undefined || isJudged || actions.some(({ kind }) => kind === 'revocation')
  const isUnreadable = !isRead && hasUnreadable(fields)
  return isUnreadable ? [...known, { code: 'unreadable', severity: 'warning' }] : known
}

/** What happens, where that is known. */
function wordsOfTypedData({ permit, actions = [] }: SignTypedDataProps) {
  const title = titleOf({
    actions: [...(permit ? [{ kind: 'token', call: permit } as const] : []), ...actions],
  })
  if (title !== 'call') return `transaction.title.${title}` as const
  const [first] = actions.filter(isGiving)
  switch (first?.kind) {
    case 'account':
      return `transaction.${first.form}` as const
    case 'delegation':
      return first.only
        ? (`transaction.delegation.${first.only}` as const)
        : ('transaction.delegation' as const)
    case 'order':
    case 'control':
    case 'refund':
    case 'mint':
    case 'call':
    case 'transfer':
      return `transaction.${first.kind}` as const
    default:
      return undefined
  }
}

/** Whether somebody may do something with it: a word about fees alone would hide that. */
const givesSomething = ({ fields, permit, actions = [], warnings = [] }: SignTypedDataProps): boolean =>
  permit !== undefined ||
  actions.some(isGiving) ||
  spenderOf(fields) !== undefined ||
  // What nobody has described may give anything.
  warnings.some(({ code }) => code === 'undescribed')
/** Words of a descriptor may say anything. */
const isGiving = ({ kind }: Action) => kind !== 'revocation' && kind !== 'described'

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
