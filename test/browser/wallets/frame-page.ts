import { systemClock } from '../../../src/lib/clock.ts'

/** The address of a page that does what a script says once its port hears a message of this type. */
export const framePage = (type: string, script: string): string =>
  URL.createObjectURL(
    new Blob(
      [
        `<!doctype html><script>
          addEventListener('message', ({ ports: [port] }) => {
            port.onmessage = ({ data }) => { if (data.type === '${type}') { ${script} } }
          })
        </script>`,
      ],
      { type: 'text/html' },
    ),
  )

/** Resolves once something is so; the limit of the test ends the wait. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await systemClock.sleep(10)
}
