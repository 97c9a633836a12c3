import { describe, expect, test } from 'vitest'
import { limit } from '../../support/limit.ts'
import { runProgram } from '../../support/program.ts'
import { Client } from '../support/client.ts'
import { Vault } from '../support/embedded-world.ts'
import { apiUrl, newAddress, openApp, startWorld, stores } from '../support/world.ts'

describe.each(stores)('attach-account on $name', (store) => {
  test('attaches an account to a user, tells them, and refuses one of somebody else', {
    timeout: limit(240_000),
  }, async () => {
    const world = await startWorld(store)
    const vault = await Vault.open(world)
    await vault.create()
    const page = vault.page()
    const { address } = (await page.get('users/me')).body.user.linked_accounts[0]
    const other = newAddress()
    await new Client(world).login(other)
    await world.backend.close()
    const run = (...args: string[]) =>
      runProgram('demo/backend/operator/attach-account.ts', args, {
        LATCHKEY_DATA: world.dataDir,
        DATABASE_URL: world.databaseUrl ?? '',
        SMTP_URL: world.mailbox.smtp.url,
        API_URL: apiUrl,
        DEMO: '1',
      })
    try {
      const of = ['--app', openApp, '--user', vault.userId]
      const number = '+4915123456780'
      expect(await run(...of, '--phone', number)).toEqual({
        code: 0,
        said: `phone ${number} logs in as ${vault.userId} from now on\n`,
      })
      const told = world.mailbox
        .messages()
        .find(({ to, subject }) => to === address && /was added/.test(subject))
      expect(told?.body).toContain(`${apiUrl}/freeze/`)
      expect(await run(...of, '--email', other)).toEqual({
        code: 1,
        said: 'This account belongs to somebody else.\n',
      })
      expect((await run(...of)).code).toBe(2)
      expect((await run('--app', openApp, '--email', other)).code).toBe(2)
    } finally {
      await world.cleanUp()
    }
  })
})
