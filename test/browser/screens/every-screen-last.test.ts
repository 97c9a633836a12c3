import { soaking } from '../../support/soak.ts'
import { checkThird } from './every-screen.ts'

checkThird(2, soaking)
