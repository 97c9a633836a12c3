import type { Examples } from '../../../dialog/screen.ts'
import type { windowEnded } from './window-ended.tsx'

export const examples = {
  done: { props: { why: 'done' } },
  over: { props: { why: 'over' } },
  'page gone': { props: { why: 'left' } },
  'logged out': { props: { why: 'session' } },
  'in another window': { props: { why: 'moved' } },
  reloaded: { props: { why: 'reloaded' } },
  alone: { props: { why: 'alone' } },
} satisfies Examples<typeof windowEnded>
