import { type TelegramProof, webAppProof, widgetProof } from '../../../src/protocol/telegram.ts'
import { read, type Suite, same, toHex } from './suite.ts'

interface Form {
  readonly fields: Readonly<Record<string, string>>
  readonly data_check_string: string
  readonly hash: string
}
interface Fixture {
  readonly bot_token: string
  readonly widget: Form
  readonly mini_app: Form
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function hmac(key: BufferSource, text: string): Promise<ArrayBuffer> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['sign'])
  return crypto.subtle.sign('HMAC', imported, bytes(text))
}

/** What the kit passes on of a login, as Telegram has it signed. */
function checkString(proof: TelegramProof | undefined, what: string): string {
  if (!proof) throw new Error(`${what}: not taken for a login`)
  const [fields = {}] = Object.values(proof.body) as Record<string, string | number>[]
  const lines = Object.entries(fields).filter(([key]) => key !== 'hash')
  return lines
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join('\n')
}

/** Telegram's two forms of signed data, as they go through the kit to the server. */
export const telegram: Suite = {
  name: 'Telegram by WebCrypto',
  async run(load) {
    const {
      bot_token: token,
      widget,
      mini_app: app,
    } = await read<Fixture>(load, 'telegram/telegram-hash-fixture.json')
    const forms = [
      {
        name: 'widget',
        form: widget,
        secret: await crypto.subtle.digest('SHA-256', bytes(token)),
        prove: (fields: Record<string, string>) => widgetProof(fields),
      },
      {
        name: 'mini app',
        form: app,
        secret: await hmac(bytes('WebAppData'), token),
        prove: (fields: Record<string, string>) => webAppProof(new URLSearchParams(fields).toString()),
      },
    ]
    let changed = 0
    for (const { name, form, secret, prove } of forms) {
      const { fields, data_check_string: text, hash } = form
      same(toHex(await hmac(secret, text)), hash, `${name}: hash`)
      same(checkString(prove({ ...fields, hash }), name), text, `${name}: what is passed on`)
      for (const key of Object.keys(fields)) {
        // One that is still of its kind: what is not is no login at all.
        const other = key === 'user' ? fields[key]?.replace('42', '43') : `${fields[key]}1`
        const proof = prove({ ...fields, hash, [key]: other ?? '' })
        const same = toHex(await hmac(secret, checkString(proof, `${name}: ${key}`))) === hash
        if (same) throw new Error(`${name}: another ${key} has the same hash`)
        changed++
      }
    }
    return `Telegram: ${forms.length} forms, ${changed} changed fields noticed`
  },
}
