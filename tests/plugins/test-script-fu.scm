; SPDX-License-Identifier: GPL-3.0-or-later
;
; Calls the procedures as Script-Fu authors do: by name, with few arguments, and with a list of
; results.  tap-path is the file for the results of the tests.

(define tap-port (open-output-file tap-path))
(define tap-number 0)

(define (tap-line . parts)
  (for-each (lambda (part) (display part tap-port)) parts)
  (newline tap-port))

(define (ok condition name)
  (set! tap-number (+ tap-number 1))
  (tap-line (if condition "ok " "not ok ") tap-number " - " name)
  condition)

(define (same got expected name)
  (if (not (ok (equal? got expected) name))
      (begin
        (tap-line "# got:      " got)
        (tap-line "# expected: " expected))))

; creates a gray image of one row with these levels
(define (make-image levels)
  (let* ((width (length levels))
         (image (car (gimp-image-new width 1 GRAY)))
         (layer (car (gimp-layer-new image "row" width 1 GRAY-IMAGE 100 LAYER-MODE-NORMAL))))
    (gimp-image-insert-layer image layer 0 0)
    (fill-row image layer levels)
    (gimp-image-clean-all image)
    (list image layer)))

(define (fill-row image layer levels)
  (let loop ((x 0) (rest levels))
    (if (pair? rest)
        (begin
          (gimp-image-select-rectangle image CHANNEL-OP-REPLACE x 0 1 1)
          (gimp-context-set-foreground (list (car rest) (car rest) (car rest)))
          (gimp-drawable-edit-fill layer FILL-FOREGROUND)
          (loop (+ x 1) (cdr rest)))))
  (gimp-selection-none image))

; returns the levels of a layer of one row
(define (row-of layer)
  (let loop ((x (- (car (gimp-drawable-get-width layer)) 1)) (levels '()))
    (if (< x 0)
        levels
        (loop (- x 1) (cons (car (car (gimp-drawable-get-pixel layer x 0))) levels)))))

(define (layer-count image)
  (vector-length (car (gimp-image-get-layers image))))

; returns #t if the call fails; GIMP prints the reason to the terminal
(define (fails? thunk)
  (catch #t (begin (thunk) #f)))

(define levels '(0 200 210 220 210 200 0 90 95 0))


(define (test-distance)
  (let* ((pair (make-image levels)) (image (car pair)) (layer (cadr pair))
         (result (plug-in-wavefront-distance-map
                  #:run-mode RUN-NONINTERACTIVE #:image image #:drawables (vector layer)
                  #:output "raw")))
    (same (row-of (car result)) '(0 1 2 3 2 1 0 0 0 0) "raw distances")
    (same (list (cadr result) (caddr result) (list-ref result 3) (length result))
          (list 3.0 FALSE 0.0 8)
          "the largest distance, whether there was no background, the least distance")
    (same (row-of layer) levels "the layer stays as it was")
    (same (layer-count image) 2 "there is one layer more"))
  (let* ((pair (make-image levels))
         (result (plug-in-wavefront-distance-map
                  #:image (car pair) #:drawables (vector (cadr pair)) #:threshold 0.3
                  #:metric "squared" #:spacing "1,2")))
    (same (row-of (car result)) '(0 28 113 255 113 28 0 28 28 0)
          "squared distances, the largest made white")
    (same (cadr result) 9.0 "the largest squared distance")))

(define (test-reconstruct)
  (let* ((pair (make-image levels))
         (result (plug-in-wavefront-reconstruct
                  #:image (car pair) #:drawables (vector (cadr pair)) #:height 0.2)))
    (same (row-of (car result)) '(0 169 169 169 169 169 0 44 44 0) "peaks lowered by a height"))
  (let* ((pair (make-image levels)) (image (car pair)) (layer (cadr pair))
         (marker (car (gimp-layer-copy layer FALSE))))
    (gimp-image-insert-layer image marker 0 1)
    (fill-row image marker '(0 0 205 0 0 0 0 0 0 0))
    (same (row-of (car (plug-in-wavefront-reconstruct
                        #:image image #:drawables (vector layer) #:marker marker)))
          '(0 200 205 205 205 200 0 0 0 0) "grown from a marker layer")
    (same (row-of (car (plug-in-wavefront-reconstruct
                        #:image image #:drawables (vector layer) #:by "erosion" #:height 0.2)))
          '(51 200 210 220 210 200 51 90 95 51) "hollows filled by a height")))

(define (test-watershed)
  (let* ((pair (make-image levels)) (image (car pair)) (layer (cadr pair))
         (result (plug-in-wavefront-watershed #:image image #:drawables (vector layer))))
    (same (caddr result) 3 "basins are counted")
    (same (list (car (gimp-drawable-type (car result))) (car (gimp-drawable-type (cadr result))))
          (list GRAYA-IMAGE GRAY-IMAGE) "lines are a layer with alpha, basins one without")
    (same (layer-count image) 3 "there are two layers more")
    (same (caddr (plug-in-wavefront-watershed
                  #:image image #:drawables (vector layer) #:tolerance 0.5))
          2 "with a tolerance there are fewer"))
  (let* ((pair (make-image levels)) (image (car pair))
         (result (plug-in-wavefront-watershed
                  #:image image #:drawables (vector (cadr pair)) #:lines-layer FALSE)))
    (same (list (car result) (layer-count image)) '(-1 2) "what is not asked for is not made")))

(define (test-by-reconstruction)
  (let* ((pair (make-image levels)) (image (car pair)) (layer (cadr pair))
         (result (plug-in-wavefront-regional-maxima
                  #:image image #:drawables (vector layer))))
    (same (row-of (car result)) '(0 0 0 255 0 0 0 0 255 0) "maxima are marked")
    (same (vector->list (list-ref result 2)) (list (car result)) "and all new layers are returned"))
  (let* ((pair (make-image levels)) (image (car pair)) (layer (cadr pair))
         (second (car (gimp-layer-copy layer FALSE))))
    (gimp-image-insert-layer image second 0 0)
    (same (vector-length (list-ref (plug-in-wavefront-fill-holes
                                    #:image image #:drawables (vector layer second)) 2))
          2 "two layers have two results")
    (same (car (gimp-item-is-group
                (car (plug-in-wavefront-fill-holes
                      #:image image #:drawables (vector layer second) #:stack TRUE))))
          TRUE "a stack has a group")
    (same (row-of (cadr (plug-in-wavefront-h-maxima
                         #:image image #:drawables (vector layer) #:height 0.1 #:dome TRUE)))
          '(0 6 16 26 16 6 0 21 26 0) "domes are what is cut off")))

(define (test-errors)
  (let* ((pair (make-image levels)) (image (car pair)) (drawables (vector (cadr pair))))
    (ok (fails? (lambda () (plug-in-wavefront-distance-map
                            #:image image #:drawables drawables #:metric "manhattan")))
        "a misspelt metric")
    (ok (fails? (lambda () (plug-in-wavefront-reconstruct
                            #:image image #:drawables drawables #:connectivity "6")))
        "a connectivity of three dimensions")
    (ok (fails? (lambda () (plug-in-wavefront-watershed
                            #:image image #:drawables drawables #:tolerance 5)))
        "a tolerance beyond the range")
    (ok (fails? (lambda () (plug-in-wavefront-watershed
                            #:image image #:drawables drawables
                            #:lines-layer FALSE #:basins-layer FALSE)))
        "no layer asked for")
    (ok (fails? (lambda () (plug-in-wavefront-watershed
                            #:image image #:drawables drawables #:device "gpu")))
        "a device that is none")
    (same (layer-count image) 1 "errors leave no layer behind")
    (same (car (gimp-image-is-dirty image)) FALSE "and no trace")))

(for-each
 (lambda (test)
   (if (fails? (lambda () (test)))
       (ok #f "a test stopped with an error")))
 (list test-distance test-reconstruct test-watershed test-by-reconstruction test-errors))
(tap-line "1.." tap-number)
(close-output-port tap-port)
