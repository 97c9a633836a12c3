/** `npm start`: brings what is missing, then runs the demo. What ends this process ends the demo. */
import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cwd = fileURLToPath(new URL('..', import.meta.url))

const { status } = spawnSync(process.execPath, ['tools/setup.mjs', 'start'], { cwd, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const demo = spawn(process.execPath, ['--import', 'tsx', 'demo/start.ts'], { cwd, stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => demo.kill(signal))
demo.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))

// npm does not hand SIGTERM on: where it ran this and is gone, the demo must not stay behind.
if (process.env.npm_lifecycle_event) {
  const npm = process.ppid
  setInterval(() => process.ppid !== npm && demo.kill('SIGTERM'), 500).unref()
}
