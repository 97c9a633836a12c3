import * as v from 'valibot'
import { Refusal, Unavailable } from '../lib/refusal.ts'
import { type Sms, type SmsGateway, sendableName } from '../outside/sms.ts'
import type { Limits } from '../settings/limits.ts'
import type { Outside } from '../settings/outside.ts'

export type { Sms, SmsGateway }
export { sendableName }

/** The gateway's own codes for numbers that it will never send to. */
const refusals: Record<number, () => Refusal> = {
  21610: () => new Refusal('user_unsubscribed', 'This number has opted out of text messages.'),
  21408: notSupported,
  21612: notSupported,
  21211: notANumber,
  21614: notANumber,
}
function notSupported() {
  return new Refusal('not_supported', 'SMS authentication from this region is not available.')
}
function notANumber() {
  return new Refusal('invalid_data', "Text messages can't be sent to this number.", { status: 422 })
}

const failure = v.object({ code: v.number() })

/**
 * Sends SMS through a gateway that speaks Twilio's Messages API.
 * @param settings without them nothing can be sent
 * @param log called with the reason why a message could not leave, without the number and the text
 */
export function createSmsGateway(
  settings: Outside['sms'],
  { outsideTimeout, outsideAnswerSize }: Limits,
  log: (line: string) => void,
): SmsGateway {
  function stuck(why: string, cause?: unknown): Unavailable {
    log(`An SMS could not be sent: ${why}`)
    return new Unavailable('The text message could not be sent. Please try again.', { cause })
  }

  async function post({ baseUrl, accountSid, authToken, from }: NonNullable<Outside['sms']>, sms: Sms) {
    const account = encodeURIComponent(accountSid)
    const body = new URLSearchParams({ To: sms.to, Body: sms.text })
    // A pool of senders has an id; anything else is a sender itself.
    body.set(/^MG[0-9a-f]{32}$/i.test(from) ? 'MessagingServiceSid' : 'From', from)
    const response = await fetch(`${baseUrl}/2010-04-01/Accounts/${account}/Messages.json`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
        accept: 'application/json',
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(outsideTimeout),
    })
    if (response.ok) {
      await response.body?.cancel()
      return undefined
    }
    const text = await response.text()
    const parsed = v.safeParse(
      v.pipe(v.string(), v.maxLength(outsideAnswerSize), v.parseJson(), failure),
      text,
    )
    return { status: response.status, code: parsed.success ? parsed.output.code : undefined }
  }

  return {
    async send(sms) {
      if (!settings) throw stuck('no gateway is set')
      const failed = await post(settings, sms).catch((cause: unknown) => {
        throw stuck(cause instanceof Error ? cause.name : 'unknown reason', cause)
      })
      if (!failed) return
      const refusal = failed.code === undefined ? undefined : refusals[failed.code]
      if (refusal) throw refusal()
      throw stuck(`status ${failed.status}, code ${failed.code ?? 'none'}`)
    },
  }
}

/**
 * The SMS with a login code. Its last line lets a browser fill the code in, on that page only (origin-bound one-time
 * codes); a page without https has none.
 * @param life milliseconds that the code lives
 * @param origin of the page that asked
 * @param device the browser that the code lets use wallets, too
 */
export function codeSms(
  appName: string,
  code: string,
  life: number,
  origin: string | undefined,
  device?: { name: string; place: string },
): string {
  const minutes = Math.round(life / 60_000)
  const also = device ? ` It lets ${sendableName(device.name)} use your wallets.` : ''
  const words = `${code} is your code for ${sendableName(appName)}.${also} It works once, for ${minutes} minutes. Don't share it.`
  const host = boundHost(origin)
  return host ? `${words}\n\n@${host} #${code}` : words
}

/** The SMS with the code of a second factor. @see codeSms */
export function mfaSms(appName: string, code: string, life: number, origin: string | undefined): string {
  const minutes = Math.round(life / 60_000)
  const words = `${code} verifies that it's you at ${sendableName(appName)}. It works once, for ${minutes} minutes. Don't share it.`
  const host = boundHost(origin)
  return host ? `${words}\n\n@${host} #${code}` : words
}

/** The SMS that tells somebody of too many wrong guesses. @param until when codes are judged again */
export const lockedSms = (appName: string, until: Date): string =>
  `Too many wrong codes were entered for this number at ${sendableName(appName)}. Codes work again from ${until.toISOString().slice(0, 16).replace('T', ' ')} UTC. If that was not you, nobody got in.`

/** The host on whose pages a browser fills a code in by itself. @param origin of the page that asked */
export function boundHost(origin: string | undefined): string | undefined {
  const url = origin !== undefined && URL.canParse(origin) ? new URL(origin) : undefined
  if (!url) return undefined
  return url.protocol === 'https:' || /^(.+\.)?localhost$/.test(url.hostname) ? url.hostname : undefined
}
