import Link from 'next/link'
import { Second } from '../second-page'

export default function Page() {
  return (
    <>
      <Second />
      <Link id="back" href="/">
        Back
      </Link>
    </>
  )
}
