/** `latchkey-recover`: the way out. It needs Node and a recovery file, and no service, no network and no package. */
import process from 'node:process'
import { terminal } from './terminal.ts'
import { runTool } from './tool.ts'

runTool(process.argv.slice(2), terminal).then(
  (code) => {
    process.exitCode = code
  },
  (cause: unknown) => {
    // The name alone: a message could quote what it failed on.
    terminal.say(`The tool failed (${cause instanceof Error ? cause.name : 'unknown'}).`)
    process.exitCode = 1
  },
)
