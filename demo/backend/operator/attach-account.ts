/**
 * Gives a user one more way to log in, for somebody who has none left (docs/operating.md). Check who is asking first: the owner
 * of the account can log in as the user from then on. It proves nothing for a new device until an enrolled one approves it.
 *
 *     node --import tsx demo/backend/operator/attach-account.ts --app <id> --user did:latchkey:… --email person@example.com
 *
 * `--phone <number>` in the place of `--email` attaches a number. The user is told at all addresses and numbers that they have, so
 * it reads `SMTP_URL`, `MAIL_FROM`, `API_URL`, `APPS_FILE`, `OUTSIDE` and `LIMITS` as main.ts does. With PGlite, stop the server
 * first.
 */
import { parseArgs } from 'node:util'
import { attachAccount, type VouchedAccount } from '../accounts/attach.ts'
import { noteTool } from '../audit/audit.ts'
import { readPhoneNumber } from '../codes/phone-number.ts'
import { createSmsGateway } from '../codes/sms-gateway.ts'
import { normaliseEmail } from '../lib/email-address.ts'
import { createMailer } from '../outside/mail.ts'
import { readApps } from '../settings/app.ts'
import { demoApps } from '../settings/demo-apps.ts'
import { parseJson, readAppsFile } from '../settings/from-environment.ts'
import { defaultLimits, readLimits } from '../settings/limits.ts'
import { defaultOutside, type Outside } from '../settings/outside.ts'
import { createOneTime } from '../store/one-time.ts'
import { createNotices } from '../users/notices.ts'
import { openInstallation, runTool } from './installation.ts'

interface Given {
  appId: string
  userId: string
  account: VouchedAccount
}

async function main({ appId, userId, account }: Given, env: NodeJS.ProcessEnv): Promise<void> {
  const { SMTP_URL: smtpUrl, API_URL: apiUrl } = env
  if (!smtpUrl) throw new Error('SMTP_URL is not set: the user could not be told')
  if (!apiUrl) throw new Error('API_URL is not set: the link in the notice would lead nowhere')
  if (!env.APPS_FILE && env.DEMO !== '1')
    throw new Error("APPS_FILE is not set. DEMO=1 takes the demo's apps.")
  const app = readApps(env.APPS_FILE ? readAppsFile(env.APPS_FILE) : demoApps).find(appId)
  if (!app) throw new Error(`There is no app ${appId}.`)
  const limits = { ...defaultLimits, ...readLimits(env.LIMITS) }
  const given = parseJson('OUTSIDE', () => env.OUTSIDE || '{}') as Partial<Outside>
  const log = (line: string) => console.error(line)
  const { database, secrets, close } = await openInstallation(env)
  const mailer = createMailer(smtpUrl, env.MAIL_FROM ?? 'Latchkey <login@latchkey.example>', log)
  try {
    const now = Date.now()
    const told = await database.transaction(async (tx) => {
      const reached = await attachAccount(tx, app, userId, account, { limits, now })
      const details = { type: account.type }
      await noteTool(tx, 'attach-account', { at: now, appId, action: 'account-attached', userId, details })
      return reached
    })
    const notices = createNotices({
      database,
      mailer,
      limits,
      sms: createSmsGateway({ ...defaultOutside, ...given }.sms, limits, log),
      oneTime: createOneTime({ secrets, clock: Date.now }),
      clock: Date.now,
      apiOrigin: new URL(apiUrl).origin,
      log,
    })
    await notices.send({ app, userId }, { what: 'account-attached', type: account.type }, told)
    console.log(`${account.type} ${account.subject} logs in as ${userId} from now on`)
  } finally {
    mailer.close()
    await close()
  }
}

function givenOf(): Given | undefined {
  try {
    const text = { type: 'string' } as const
    const { values } = parseArgs({ options: { app: text, user: text, email: text, phone: text } })
    const { app: appId, user: userId, email, phone } = values
    const account = accountOf(email, phone)
    return appId && userId && account ? { appId, userId, account } : undefined
  } catch {
    return undefined
  }
}

function accountOf(email: string | undefined, phone: string | undefined): VouchedAccount | undefined {
  if (email !== undefined && phone !== undefined) return undefined
  const subject = email !== undefined ? normaliseEmail(email) : readPhoneNumber(phone ?? '')?.e164
  return subject === undefined
    ? undefined
    : { type: email !== undefined ? 'email' : 'phone', subject, details: {} }
}

const given = givenOf()
if (given) runTool(() => main(given, process.env))
else {
  console.error(
    'Usage: attach-account.ts --app <app id> --user <user id> (--email <address> | --phone <number>)',
  )
  process.exitCode = 2
}
