/** How a person shows that this device is theirs. */
import { Closed, type Stage } from '../../../dialog/stage.ts'
import { type RecoveryData, recoveryMethods } from '../../../protocol/frame/calls.ts'
import { enrolWithCode, enrolWithDrive, enrolWithMfa, enrolWithPassword } from '../../device/enrol.ts'
import { enrolmentRequired, VaultError } from '../../errors.ts'
import { vaultLimits } from '../../limits.ts'
import type { RootName } from '../../model.ts'
import { isWrongProof, keptByPage } from '../../recovery/errors.ts'
import {
  type EnrolmentFactor,
  fetchFactors,
  type RecoveryFactor,
  sendEnrolmentCode,
} from '../../server/devices.ts'
import { unsupportedHere } from '../../server/recovery.ts'
import { type Asking, isTooMany, untilReached, withPassword, wordsFor } from './ask.ts'
import { proveByDevice } from './by-device.ts'
import type { ChooseFactorProps } from './choose-factor.tsx'
import { driveOf } from './drives.ts'
import { chooseFactor, connectingWallet, enterCode, failure } from './screens.ts'

type CodeFactor = Extract<EnrolmentFactor, { type: 'email' | 'sms' }>

/** The wallet that the person wants to use here. */
export interface Wanted {
  readonly root: RootName
  /** The wallet, by which a password manager finds its entry. */
  readonly address: string
}

/**
 * Has the person show that this device is theirs. What shows it may also recover their wallet: resolves with that. Throws `Closed`, and
 * a {@link VaultError}: `enrolment_required` if there is nothing that they could show.
 */
export async function enrolOn(cx: Asking, stage: Stage, wanted: Wanted): Promise<RecoveryData> {
  const { vault } = cx
  const factors = await untilReached(cx, stage, async () => fetchFactors(vault, await cx.token()))
  const recoveries = factors.filter((factor) => factor.type === 'recovery')
  const own = recoveries.find(({ root }) => isSame(root, wanted.root) || root.address === wanted.address)
  if (own?.method === recoveryMethods.ownKey) throw keptByPage()
  if (own && driveOf(own.method)) return byDrive(cx, stage, own)
  // Nothing else helps a user who has forgotten the password of this wallet: it is wanted all the same.
  const choices: readonly EnrolmentFactor[] = own?.stretching
    ? [own]
    : factors.filter((factor) => factor.type !== 'recovery' || factor.stretching !== undefined)
  return choices.length === 0 ? nothingToShow(cx, stage) : byChoice(cx, stage, choices, wanted)
}

/** Somebody with one way to go is not asked which one. */
async function byChoice(
  cx: Asking,
  stage: Stage,
  choices: readonly EnrolmentFactor[],
  { address }: Wanted,
): Promise<RecoveryData> {
  const codes = createCodes(cx, stage)
  const prove = async (factor: EnrolmentFactor): Promise<{ done: RecoveryData } | 'back'> => {
    switch (factor.type) {
      case 'device':
        return proveByDevice(cx, stage)
      case 'passkey':
        return (await import('./by-passkey.ts')).proveByPasskey(cx, stage)
      case 'wallet':
        return (await import('./by-wallet.ts')).proveByWallet(cx, stage, factor)
      case 'provider':
        return (await import('../providers/prove.ts')).proveWithProvider(cx, stage, factor)
      case 'mfa':
        return bySecondFactor(cx, stage)
      case 'recovery':
        return byPassword(cx, stage, factor, address)
      default:
        return codes(factor)
    }
  }
  for (;;) {
    const factor = choices.length === 1 ? choices[0] : await choose(stage, choices)
    if (!factor) continue
    const came = await prove(factor)
    if (came !== 'back') return came.done
    if (choices.length === 1) throw turnedBack()
  }
}

async function choose(
  stage: Stage,
  choices: readonly EnrolmentFactor[],
): Promise<EnrolmentFactor | undefined> {
  const answer = await stage.ask(chooseFactor, { factors: choices.map(shownFactor) })
  if (answer === 'back') throw turnedBack()
  return choices[answer.chosen]
}

function shownFactor(factor: EnrolmentFactor): ChooseFactorProps['factors'][number] {
  switch (factor.type) {
    case 'device':
    case 'passkey':
    case 'mfa':
      return { type: factor.type }
    case 'wallet':
      return { type: factor.type, hint: shortened(factor.address) }
    case 'provider':
      return { type: factor.type, provider: factor.provider, hint: factor.hint || undefined }
    case 'recovery':
      return { type: 'password', hint: shortened(factor.root.address) }
    default:
      return { type: factor.type, hint: factor.hint }
  }
}

function byPassword(cx: Asking, stage: Stage, factor: RecoveryFactor, address: string) {
  return withPassword(cx, stage, { address }, async (recoveryPassword): Promise<RecoveryData> => {
    await enrolWithPassword(cx.vault, await cx.token(), factor, recoveryPassword)
    return { recoveryPassword }
  })
}

/** The server says what it wants shown, and the person is asked for that. */
async function bySecondFactor(cx: Asking, stage: Stage): Promise<{ done: RecoveryData }> {
  await stage.during(connectingWallet, {}, async () => enrolWithMfa(cx.vault, await cx.token()))
  return { done: {} }
}

async function byDrive(cx: Asking, stage: Stage, factor: RecoveryFactor): Promise<RecoveryData> {
  const provider = driveOf(factor.method)
  if (!provider) throw unsupportedHere()
  const { withDrive } = await import('../providers/drive.ts')
  const came = await withDrive(cx, stage, provider, 'recover', async (accessToken) => {
    await enrolWithDrive(cx.vault, await cx.token(), factor, accessToken)
    return { recoveryAccessToken: accessToken }
  })
  if (came === 'back') throw turnedBack()
  return came.done
}

/** Codes of one enrolment: going back and forth sends none that the person need not wait for. */
function createCodes(cx: Asking, stage: Stage) {
  const { vault } = cx
  const sent = new Map<string, { until: number; hint: string }>()

  /** Resolves with words for a failure that leaves the person at the boxes. */
  async function send({ id, hint }: CodeFactor): Promise<string | undefined> {
    try {
      const to = await sendEnrolmentCode(vault, await cx.token(), id)
      sent.set(id, { until: vault.clock.now() + vaultLimits.codeEvery, hint: to })
      return undefined
    } catch (cause) {
      stage.signal.throwIfAborted()
      if (!(cause instanceof VaultError)) throw cause
      cx.shown(cause)
      sent.set(id, { until: sent.get(id)?.until ?? vault.clock.now(), hint })
      return codeWords(cx, cause)
    }
  }

  return async (factor: CodeFactor): Promise<{ done: RecoveryData } | 'back'> => {
    const before = sent.get(factor.id)
    let error: string | undefined
    if (!before || before.until <= vault.clock.now())
      error = await untilReached(cx, stage, () => send(factor))
    for (;;) {
      const { until, hint } = sent.get(factor.id) ?? { until: 0, hint: factor.hint }
      const resendIn = Math.max(0, until - vault.clock.now())
      const screen = { use: 'device', via: factor.type, to: hint, resendIn } as const
      const answer = await stage.ask(enterCode, { ...screen, ...(error && { error }) })
      if (answer === 'back') return 'back'
      if (answer === 'resend') {
        error = await send(factor)
        continue
      }
      try {
        await enrolWithCode(vault, await cx.token(), answer.code)
        await stage.hold(enterCode, { ...screen, accepted: true }, vaultLimits.successVisible)
        return { done: {} }
      } catch (cause) {
        stage.signal.throwIfAborted()
        if (!(cause instanceof VaultError)) throw cause
        cx.shown(cause)
        error = codeWords(cx, cause)
      }
    }
  }
}

function codeWords({ t }: Asking, cause: VaultError): string {
  if (isWrongProof(cause)) return t('error.code.invalid')
  return isTooMany(cause) ? t('error.password.tooMany') : wordsFor(t, cause, t('error.code.other'))
}

/** The wallet is on other devices alone, and the user has not set up anything that would bring it here. */
async function nothingToShow(cx: Asking, stage: Stage): Promise<never> {
  const { t } = cx
  const error = enrolmentRequired()
  cx.shown(error)
  const words = { title: t('device.alone.title'), detail: t('device.alone.text') }
  await stage.ask(failure, { ...words, action: 'close' })
  throw error
}

export const turnedBack = () => new Closed('The person turned back')

const isSame = (a: RootName, b: RootName) => a.chainType === b.chainType && a.address === b.address
const shortened = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`
