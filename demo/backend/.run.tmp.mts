import { spawn } from 'node:child_process'
import { createMailbox } from '/work/main/demo/world/mail/mailbox.ts'
import { serve } from '@hono/node-server'
const mb = await createMailbox()
const inbox = serve({ fetch: mb.app.fetch, port: 4899, hostname: '127.0.0.1' })
const child = spawn(process.execPath, ['--import','tsx','demo/backend/main.ts'], { stdio: ['ignore','pipe','inherit'], env: {...process.env, PORT:'4891', VAULT_PORT:'4892', LATCHKEY_DATA:'/tmp/lkd', VAULT_FILES:'/tmp/lkd/v', SMTP_URL: mb.smtp.url, DATABASE_URL: '' } })
child.stdout.on('data', d => console.log(String(d)))
process.on('SIGTERM', () => { child.kill('SIGTERM'); inbox.close(); mb.close(); setTimeout(() => process.exit(0), 1500) })
