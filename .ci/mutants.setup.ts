/** A fault is seen by the first failure of a property: its smallest case isn't looked for. */

import fc from 'fast-check';

fc.configureGlobal({ endOnFailure: true });
