/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints the size of each struct of the library that Python declares a second time.
 */
#include <glib.h>

#include "wavefront.h"

int
main (void)
{
  g_print ("Image %zu\nChoice %zu\nOption %zu\nOptionGroup %zu\n", sizeof (WfImage),
           sizeof (WfChoice), sizeof (WfOption), sizeof (WfOptionGroup));
  g_print ("Report %zu\nSource %zu\nSink %zu\nDevice %zu\n", sizeof (WfReport),
           sizeof (WfBlockSource), sizeof (WfBlockSink), sizeof (WfDevice));
  g_print ("Operand %zu\nRegionColumn %zu\nStepReport %zu\nWorker %zu\n", sizeof (WfOperand),
           sizeof (WfRegionColumn), sizeof (WfStepReport), sizeof (WfWorkerReport));
  return 0;
}
