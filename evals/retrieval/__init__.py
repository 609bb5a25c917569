"""Does `retrieve` find the right passage? The product asked over public labelled sets, beside simpler rankings."""
